import { Group, Stack } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import cardClasses from '#web/ui/data/cards.module.css';
import { formatRange, Pager } from '#web/ui/data/pager.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { UserCard } from './user-card.tsx';
import { type UsersSearch, usersPageSize, useUsers } from './users-api.ts';

const skeletonCards = [1, 2, 3, 4, 5, 6];

interface UserListProps {
	search: UsersSearch;
	/** Goes to a page; `passed` are the places of the pages up to it. */
	onPage: (page: Pick<UsersSearch, 'page' | 'after'>, passed: string[]) => void;
	/** Takes search and filter away, offered where they left nothing. */
	onClear: () => void;
}

/** The cards of one page, with the ways to the next and the one before. */
export function UserList({ search, onPage, onClear }: UserListProps) {
	// Keyset paging goes forward only: the places passed are kept for the way back, with the step in the history.
	const passed = useLocation({ select: ({ state }) => (state as { passed?: string[] }).passed }) ?? [];
	const isFirst = search.after === '';
	const users = useUsers(search, search.after || undefined);
	const goToNext = (cursor: string) =>
		onPage({ page: isFirst ? 2 : search.page + 1, after: cursor }, [...passed, cursor]);
	const goTo = (cursorsToPage: string[]) =>
		onPage({ page: cursorsToPage.length + 1, after: cursorsToPage.at(-1) ?? '' }, cursorsToPage);

	if (users.isPending) return <UserListSkeleton />;
	if (users.isError) return <FailedQuery text={m.users_failed()} query={users} />;
	const { items, total, isMore, nextCursor } = users.data;
	if (items.length === 0 && isFirst) {
		const isNarrowed = search.search !== '' || search.filter !== 'all';
		return (
			<EmptyState
				text={m.users_empty()}
				action={isNarrowed ? <Button onClick={onClear}>{m.users_clear()}</Button> : undefined}
			/>
		);
	}
	const before = isFirst ? 0 : (search.page - 1) * usersPageSize;
	return (
		<>
			<div className={cardClasses.cards} aria-busy={users.isPlaceholderData}>
				{items.map((person) => (
					<UserCard key={person.id} person={person} />
				))}
			</div>
			<Pager
				label={m.users_pages()}
				range={isMore ? rangeWithUnknownTotal(before, items.length, total) : formatRange(before, items.length, total)}
				isFetching={users.isPlaceholderData}
				onPrevious={isFirst ? undefined : () => goTo(passed.slice(0, -1))}
				onNext={nextCursor === null || users.isPlaceholderData ? undefined : () => goToNext(nextCursor)}
			/>
		</>
	);
}

/** Where counting stopped before the end. */
function rangeWithUnknownTotal(before: number, shown: number, total: number): string {
	return m.users_range_more({
		from: formatCount(before + 1),
		to: formatCount(before + shown),
		total: formatCount(Math.max(total, before + shown)),
	});
}

function UserListSkeleton() {
	return (
		<div role="status" aria-label={m.users_loading()} className={cardClasses.cards}>
			{skeletonCards.map((number) => (
				<Stack
					key={number}
					className={cardClasses.card}
					justify="space-between"
					gap={0}
					mih={160}
					p="14px 16px 8px"
					data-testid="person-skeleton"
				>
					<Group gap={12} align="flex-start" wrap="nowrap">
						<Skeleton width="40px" height="40px" isRound />
						<Stack gap={8} pt={4} flex={1}>
							<Skeleton width="60%" />
							<Skeleton width="80%" height="14px" />
						</Stack>
					</Group>
					<Group justify="space-between">
						<Skeleton width="104px" height="28px" />
						<Skeleton width="84px" height="28px" />
					</Group>
				</Stack>
			))}
		</div>
	);
}
