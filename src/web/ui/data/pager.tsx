import { useState } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Button } from '../primitives/button.tsx';
import classes from './pager.module.css';

interface PagerProps {
	/** What is being paged, for screen readers. */
	label: string;
	/** Which part of the list the requested page is, in words. */
	range: string;
	/** The requested page is still being fetched: the page before and its range stay in view. */
	isFetching: boolean;
	/** Instead of Previous and Next. */
	labels?: { previous: string; next: string };
	/** Undefined where there is no such page. */
	onPrevious: (() => void) | undefined;
	onNext: (() => void) | undefined;
}

/** Which rows of how many are shown: `51 to 100 of 1,204`. `before`: how many stand on the pages before. */
export function formatRange(before: number, shown: number, total: number): string {
	return m.common_range({
		from: formatCount(Math.min(before + 1, total)),
		to: formatCount(before + shown),
		total: formatCount(total),
	});
}

/** The ways to the page before and the next, below a list. */
export function Pager({ label, range, isFetching, labels, onPrevious, onNext }: PagerProps) {
	const [shownRange, setShownRange] = useState(range);
	if (!isFetching && shownRange !== range) setShownRange(range);
	return (
		<nav className={classes.pager} aria-label={label}>
			<span className={classes.range} role="status">
				{shownRange}
			</span>
			<Button size="small" disabled={onPrevious === undefined} onClick={onPrevious}>
				{labels?.previous ?? m.common_previous()}
			</Button>
			<Button size="small" disabled={onNext === undefined} onClick={onNext}>
				{labels?.next ?? m.common_next()}
			</Button>
		</nav>
	);
}

/** Where one is in a list that is paged forward by cursors: the places passed are kept for the way back. */
export interface KeysetPages {
	/** Of the page that is shown; undefined for the first. */
	cursor: string | undefined;
	/** How many pages lie before it. */
	pageIndex: number;
	onPrevious: (() => void) | undefined;
	/** The way on from a page that ends at this cursor; undefined at the last page and while the page is still coming. */
	onNext: (nextCursor: string | null, isComing: boolean) => (() => void) | undefined;
}

/** Mount anew (`key`) for another list. */
export function useKeysetPages(): KeysetPages {
	const [cursors, setCursors] = useState<string[]>([]);
	return {
		cursor: cursors.at(-1),
		pageIndex: cursors.length,
		onPrevious: cursors.length === 0 ? undefined : () => setCursors(cursors.slice(0, -1)),
		onNext: (nextCursor, isFetching) =>
			nextCursor === null || isFetching ? undefined : () => setCursors([...cursors, nextCursor]),
	};
}
