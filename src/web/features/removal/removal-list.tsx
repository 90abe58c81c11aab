import { useState } from 'react';
import type { Person } from '#contract/people/people.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/faces.tsx';
import { Pager, rangeOf } from '#web/ui/pager.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RemovalCard } from './removal-card.tsx';
import { RemovalDialog } from './removal-dialog.tsx';
import classes from './removal-list.module.css';

const skeletonCards = 6;

interface RemovalListProps {
	people: Person[];
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
export function RemovalList(props: RemovalListProps) {
	const { people, total, before, onPrevious, onNext, isChanging, onClear } = props;
	const [asked, setAsked] = useState<Person | null>(null);
	return (
		<>
			{people.length === 0 && before === 0 ? (
				<EmptyState
					text={m.removal_empty()}
					action={onClear === undefined ? undefined : <Button onClick={onClear}>{m.removal_clear()}</Button>}
				/>
			) : (
				<>
					<div className={classes.grid} aria-busy={isChanging}>
						{people.map((person) => (
							<RemovalCard key={person.id} person={person} onDelete={() => setAsked(person)} />
						))}
					</div>
					<Pager
						label={m.removal_pages()}
						range={rangeOf(before, people.length, total)}
						isComing={isChanging}
						onPrevious={onPrevious}
						onNext={onNext}
					/>
				</>
			)}
			<RemovalDialog person={asked} onClose={() => setAsked(null)} />
		</>
	);
}

/** Six cards while people are being fetched. */
export function RemovalSkeleton() {
	return (
		<div role="status" aria-label={m.removal_loading()} className={classes.grid}>
			{Array.from({ length: skeletonCards }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: six boxes that never change places.
				<div key={index} className={classes.card} data-testid="person-skeleton">
					<div className={classes.head}>
						<Skeleton width="40px" height="40px" isRound />
						<div className={classes.who}>
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
