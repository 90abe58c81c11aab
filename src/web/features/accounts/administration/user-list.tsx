import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import * as z from 'zod';
import { userFilter } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import cardClasses from '#web/ui/data/cards.module.css';
import { type KeysetPages, PagedList } from '#web/ui/data/paged-list.tsx';
import { formatRange } from '#web/ui/data/pager.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { UserCard } from './user-card.tsx';

/** Cards per page. Source: the design of the admin dashboard. */
export const usersPageSize = 12;

/** The search parameters of /admin. */
export const usersSearch = z.object({
	search: z.string().default(''),
	filter: userFilter.default('all'),
	page: z.coerce.number().int().min(1).default(1),
	/** The cursor at which the page begins; '' for the first page. */
	after: z.string().default(''),
});
type UsersSearch = z.infer<typeof usersSearch>;
type UserFilters = Pick<UsersSearch, 'search' | 'filter'>;

export function usersPageOptions({ search, filter }: UserFilters, cursor: string | undefined) {
	const input = { search: search || undefined, filter, cursor, limit: usersPageSize };
	return api.people.list.queryOptions({ input, placeholderData: keepPreviousData });
}

const skeletonCards = [1, 2, 3, 4, 5, 6];

interface UserListProps {
	search: UsersSearch;
	/** `passed`: the cursors of all pages from page 2 to the opened page. */
	onPage: (page: Pick<UsersSearch, 'page' | 'after'>, passed: string[]) => void;
	onClear: () => void;
}

export function UserList({ search, onPage, onClear }: UserListProps) {
	// A cursor only leads to the next page. For going back, the history entry stores the cursors of earlier pages.
	const passed = useLocation({ select: ({ state }) => (state as { passed?: string[] }).passed }) ?? [];
	const isFirst = search.after === '';
	const goTo = (cursorsToPage: string[]) =>
		onPage({ page: cursorsToPage.length + 1, after: cursorsToPage.at(-1) ?? '' }, cursorsToPage);
	const isNarrowed = search.search !== '' || search.filter !== 'all';
	const pages: KeysetPages = {
		pageIndex: isFirst ? 0 : search.page - 1,
		onPrevious: isFirst ? undefined : () => goTo(passed.slice(0, -1)),
		onNext: (cursor, isFetching) =>
			cursor === null || isFetching
				? undefined
				: () => onPage({ page: isFirst ? 2 : search.page + 1, after: cursor }, [...passed, cursor]),
	};
	const page = useQuery(usersPageOptions(search, search.after || undefined));
	return (
		<PagedList
			list={{ page, pages, pageSize: usersPageSize }}
			texts={{ failed: m.users_failed(), empty: m.users_empty(), pages: m.users_pages() }}
			emptyAction={isNarrowed && <Button onClick={onClear}>{m.users_clear()}</Button>}
			skeleton={<UserCardSkeletons label={m.users_loading()} />}
			rangeOf={({ items, total, isMore }, before) =>
				isMore ? rangeWithUnknownTotal(before, items.length, total) : formatRange(before, items.length, total)
			}
		>
			{(items, isFetching) => (
				<div className={cardClasses.cards} aria-busy={isFetching}>
					{items.map((person) => (
						<UserCard key={person.id} person={person} />
					))}
				</div>
			)}
		</PagedList>
	);
}

/** The range for an unknown total. `total`: the number at which the server stopped counting. */
function rangeWithUnknownTotal(before: number, shown: number, total: number): string {
	return m.users_range_more({
		from: formatCount(before + 1),
		to: formatCount(before + shown),
		total: formatCount(Math.max(total, before + shown)),
	});
}

export function UserCardSkeletons({ label }: { label: string }) {
	return (
		<div role="status" aria-label={label} className={cardClasses.cards}>
			{skeletonCards.map((number) => (
				<Skeleton key={number} height="160px" />
			))}
		</div>
	);
}
