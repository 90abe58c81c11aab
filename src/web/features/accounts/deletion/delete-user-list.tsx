import { useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { formatRange, Pager } from '#web/ui/data/pager.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { DeleteUserCard } from './delete-user-card.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import classes from './delete-user-list.module.css';

const skeletonCards = 6;

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
export function DeleteUserList(props: DeleteUserListProps) {
	const { users, total, before, onPrevious, onNext, isChanging, onClear } = props;
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
					<div className={classes.grid} aria-busy={isChanging}>
						{users.map((person) => (
							<DeleteUserCard key={person.id} person={person} onDelete={() => setSelectedUser(person)} />
						))}
					</div>
					<Pager
						label={m.account_deletion_pages()}
						range={formatRange(before, users.length, total)}
						isFetching={isChanging}
						onPrevious={onPrevious}
						onNext={onNext}
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
		<div role="status" aria-label={m.account_deletion_loading()} className={classes.grid}>
			{Array.from({ length: skeletonCards }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: six boxes that never change places.
				<div key={index} className={classes.card} data-testid="person-skeleton">
					<div className={classes.header}>
						<Skeleton width="40px" height="40px" isRound />
						<div className={classes.identity}>
							<Skeleton width="60%" />
							<Skeleton width="80%" height="14px" />
						</div>
					</div>
					<div className={classes.actions}>
						<span />
						<Skeleton width="84px" height="28px" />
					</div>
				</div>
			))}
		</div>
	);
}
