import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import cardClasses from '#web/ui/data/cards.module.css';
import { formatRange, Pager } from '#web/ui/data/pager.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { DeleteUserCard } from './delete-user-card.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';

const skeletonCards = [1, 2, 3, 4, 5, 6];

interface DeleteUserListProps {
	users: UserSummary[];
	total: number;
	/** How many come before the first shown. */
	before: number;
	onPrevious: (() => void) | undefined;
	onNext: (() => void) | undefined;
	/** The page shown is about to change. */
	isChanging: boolean;
	/** Takes the search away, offered where it left nothing. */
	onClear: (() => void) | undefined;
}

/** The cards of one page of people, each with Delete. */
export function DeleteUserList({ users, total, before, isChanging, onClear, ...paging }: DeleteUserListProps) {
	const [selectedUser, setSelectedUser] = useState<UserSummary | null>(null);
	return (
		<>
			{users.length === 0 && before === 0 ? (
				<EmptyState
					text={m.account_deletion_empty()}
					action={onClear === undefined ? undefined : <Button onClick={onClear}>{m.account_deletion_clear()}</Button>}
				/>
			) : (
				<>
					<div className={cardClasses.cards} aria-busy={isChanging}>
						{users.map((person) => (
							<DeleteUserCard key={person.id} person={person} onDelete={() => setSelectedUser(person)} />
						))}
					</div>
					<Pager
						label={m.account_deletion_pages()}
						range={formatRange(before, users.length, total)}
						isFetching={isChanging}
						{...paging}
					/>
				</>
			)}
			<DeleteUserDialog person={selectedUser} onClose={() => setSelectedUser(null)} />
		</>
	);
}

/** Six cards while people are being fetched. */
export function DeleteUserListSkeleton() {
	return (
		<div role="status" aria-label={m.account_deletion_loading()} className={cardClasses.cards}>
			{skeletonCards.map((number) => (
				<div key={number} className={cardClasses.card} data-testid="person-skeleton">
					<Group align="stretch" gap={12} wrap="nowrap" flex={1} mih={92} p="14px 16px 10px">
						<Skeleton width="40px" height="40px" isRound />
						<Stack gap={2} flex={1}>
							<Skeleton width="60%" />
							<Skeleton width="80%" height="14px" />
						</Stack>
					</Group>
					<Group className={cardClasses.footer} justify="flex-end">
						<Skeleton width="84px" height="28px" />
					</Group>
				</div>
			))}
		</div>
	);
}
