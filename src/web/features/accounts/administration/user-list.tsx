import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { userBookFilters, userRoleFilters, userSorts, userStatusFilters } from '#contract/accounts/administration.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { integer, oneOf, orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { formatState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import cardClasses from '#web/ui/data/cards.module.css';
import { formatRange, type KeysetPages, PagedList } from '#web/ui/data/paged-list.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { UserCard } from './user-card.tsx';
import type { UserSelection } from './user-selection.ts';
import { UserSelectionHeader } from './user-selection-controls.tsx';

/** Cards per page. Source: the design of the admin dashboard. */
export const usersPageSize = 12;

const filterFields = {
	search: orElse(text(limits.searchMaxLength), ''),
	status: orElse(oneOf(userStatusFilters), 'all'),
	role: orElse(oneOf(userRoleFilters), 'all'),
	book: orElse(oneOf(userBookFilters), 'all'),
	group: orElse(text(), ''),
};
const readFilters = stateOf(filterFields);

export const withoutFilters = readFilters({});

const fieldsWithSort = { ...filterFields, sort: orElse(oneOf(userSorts), 'recent') };
/** The filters and the sort, which can be saved under a name. */
export const usersFilter = stateOf(fieldsWithSort);

/** The search parameters of /admin. */
export const usersSearch = stateOf({
	...fieldsWithSort,
	page: orElse(integer(1), 1),
	/** The cursor at which the page begins; '' for the first page. */
	after: orElse(text(), ''),
});
export type UsersSearch = ReturnType<typeof usersSearch>;

export function usersPageOptions({ page: _page, after, search, ...filters }: UsersSearch) {
	const input = { ...filters, search: search || undefined, cursor: after || undefined, limit: usersPageSize };
	return api.people.list.queryOptions({ input, placeholderData: keepPreviousData });
}

interface UserListProps {
	search: UsersSearch;
	/** `passed`: the cursors of all pages from page 2 to the opened page. */
	onPage: (page: Pick<UsersSearch, 'page' | 'after'>, passed: string[]) => void;
	/** Called when the page of the URL does not exist, because its cursor is outdated or damaged. */
	onLostPage: () => void;
	onClear: () => void;
	selection: UserSelection;
	isSelecting: boolean;
}

export function UserList({ search, onPage, onLostPage, onClear, selection, isSelecting }: UserListProps) {
	// A cursor only leads to the next page. For going back, the history entry stores the cursors of earlier pages.
	const passed = useLocation({ select: ({ state }) => (state as { passed?: string[] }).passed }) ?? [];
	const isFirst = search.after === '';
	const goTo = (cursorsToPage: string[]) =>
		onPage({ page: cursorsToPage.length + 1, after: cursorsToPage.at(-1) ?? '' }, cursorsToPage);
	const isNarrowed = formatState(readFilters, search) !== '';
	const pages: KeysetPages = {
		pageIndex: isFirst ? 0 : search.page - 1,
		onPrevious: isFirst ? undefined : () => goTo(passed.slice(0, -1)),
		onNext: (cursor, isFetching) =>
			cursor === null || isFetching
				? undefined
				: () => onPage({ page: isFirst ? 2 : search.page + 1, after: cursor }, [...passed, cursor]),
	};
	const page = useQuery(usersPageOptions(search));
	const isRefused = page.error !== null && describeFailure(page.error).fields.cursor !== undefined;
	const isLost = !isFirst && (isRefused || (page.data?.items.length === 0 && !page.isPlaceholderData));
	useEffect(() => {
		if (isLost) onLostPage();
	}, [isLost, onLostPage]);
	if (isLost) return <UserCardSkeletons label={m.users_loading()} />;
	return (
		<PagedList
			list={{ page, pages, pageSize: usersPageSize }}
			texts={{ failed: m.users_failed(), empty: m.users_empty(), pages: m.users_pages() }}
			emptyAction={isNarrowed && <Button onClick={onClear}>{m.users_clear()}</Button>}
			skeleton={<UserCardSkeletons label={m.users_loading()} />}
			rangeOf={({ items, total, isMore }, before) => rangeText(before, items.length, total, isMore)}
		>
			{(items, isFetching) => {
				const pageIds = items.map(({ id }) => id);
				const { total = 0, isMore = false } = page.data ?? {};
				return (
					<>
						{isSelecting && <UserSelectionHeader {...{ selection, pageIds, total, isMore }} />}
						<div className={cardClasses.cards} aria-busy={isFetching}>
							{items.map((person) => (
								<UserCard
									key={person.id}
									person={person}
									isSelected={selection.has(person.id)}
									onSelect={isSelecting ? () => selection.toggle(person.id, pageIds) : undefined}
								/>
							))}
						</div>
					</>
				);
			}}
		</PagedList>
	);
}

/** `isMore`: the total is unknown, and the server stopped counting at `total`. */
function rangeText(before: number, shown: number, total: number, isMore: boolean): string {
	if (!isMore) return formatRange(before, shown, total);
	const to = before + shown;
	return m.users_range_more({
		from: formatCount(before + 1),
		to: formatCount(to),
		total: formatCount(Math.max(total, to)),
	});
}

export function UserCardSkeletons({ label }: { label: string }) {
	return (
		<div role="status" aria-label={label} className={cardClasses.cards}>
			{[1, 2, 3, 4, 5, 6].map((number) => (
				<Skeleton key={number} height="160px" />
			))}
		</div>
	);
}
