import { useLocation } from '@tanstack/react-router';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState, FailedQuery } from '#web/ui/faces.tsx';
import { Pager, rangeOf } from '#web/ui/pager.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type PeopleSearch, peoplePageSize, usePeople } from './people.api.ts';
import { PersonCard } from './people-card.tsx';
import classes from './people-list.module.css';

const skeletonCards = 6;

interface PeopleListProps {
	search: PeopleSearch;
	/** Goes to a page; `passed` are the places of the pages up to it. */
	onPage: (page: Pick<PeopleSearch, 'page' | 'after'>, passed: string[]) => void;
	/** Takes search and filter away, offered where they left nothing. */
	onClear: () => void;
}

/** The cards of one page, with the ways to the next and the one before. */
export function PeopleList({ search, onPage, onClear }: PeopleListProps) {
	// Keyset paging goes forward only: the places passed are kept for the way back, with the step in the history.
	const kept = useLocation({ select: ({ state }) => (state as { passed?: string[] }).passed });
	const passed = kept ?? [];
	const isFirst = search.after === '';
	const people = usePeople(search, search.after || undefined);
	const goOn = (cursor: string) => onPage({ page: isFirst ? 2 : search.page + 1, after: cursor }, [...passed, cursor]);
	const goTo = (places: string[]) => onPage({ page: places.length + 1, after: places.at(-1) ?? '' }, places);

	if (people.isPending) return <PeopleSkeleton />;
	if (people.isError) {
		return <FailedQuery text={m.people_failed()} query={people} />;
	}
	const { items, total, isMore, nextCursor } = people.data;
	if (items.length === 0 && isFirst) {
		const isNarrowed = search.search !== '' || search.filter !== 'all';
		return (
			<EmptyState
				text={m.people_empty()}
				action={isNarrowed ? <Button onClick={onClear}>{m.people_clear()}</Button> : undefined}
			/>
		);
	}
	const before = isFirst ? 0 : (search.page - 1) * peoplePageSize;
	return (
		<>
			<div className={classes.grid} aria-busy={people.isPlaceholderData}>
				{items.map((person) => (
					<PersonCard key={person.id} person={person} />
				))}
			</div>
			<Pager
				label={m.people_pages()}
				range={isMore ? rangeOfMore(before, items.length, total) : rangeOf(before, items.length, total)}
				isComing={people.isPlaceholderData}
				onPrevious={isFirst ? undefined : () => goTo(passed.slice(0, -1))}
				onNext={nextCursor === null || people.isPlaceholderData ? undefined : () => goOn(nextCursor)}
			/>
		</>
	);
}

/** Where counting stopped before the end. */
function rangeOfMore(before: number, shown: number, total: number): string {
	return m.people_range_more({
		from: formatCount(before + 1),
		to: formatCount(before + shown),
		total: formatCount(Math.max(total, before + shown)),
	});
}

function PeopleSkeleton() {
	return (
		<div role="status" aria-label={m.people_loading()}>
			<div className={classes.grid}>
				{Array.from({ length: skeletonCards }, (_, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: six boxes that never change places.
					<div key={index} className={classes.skeleton} data-testid="person-skeleton">
						<Skeleton width="40px" height="40px" isRound />
						<div className={classes.skeletonLines}>
							<Skeleton width="60%" />
							<Skeleton width="80%" height="14px" />
						</div>
						<div className={classes.skeletonFoot}>
							<Skeleton width="104px" height="28px" />
							<Skeleton width="84px" height="28px" />
						</div>
					</div>
				))}
			</div>
		</div>
	);
}
