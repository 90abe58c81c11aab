import { useState } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { Button } from './button.tsx';
import classes from './pager.module.css';

interface PagerProps {
	/** What is being paged, for screen readers. */
	label: string;
	/** Which part of the list the requested page is, in words. */
	range: string;
	/** The requested page is still being fetched: the page before and its range stay in view. */
	isComing: boolean;
	/** Instead of Previous and Next. */
	words?: { previous: string; next: string };
	/** Undefined where there is no such page. */
	onPrevious: (() => void) | undefined;
	onNext: (() => void) | undefined;
}

/** Which rows of how many are shown: `51 to 100 of 1,204`. `before`: how many stand on the pages before. */
export function rangeOf(before: number, shown: number, total: number): string {
	return m.common_range({
		from: formatCount(Math.min(before + 1, total)),
		to: formatCount(before + shown),
		total: formatCount(total),
	});
}

/** The ways to the page before and the next, below a list. */
export function Pager({ label, range, isComing, words, onPrevious, onNext }: PagerProps) {
	const [shownRange, setShownRange] = useState(range);
	if (!isComing && shownRange !== range) setShownRange(range);
	return (
		<nav className={classes.pager} aria-label={label}>
			<span className={classes.range} role="status">
				{shownRange}
			</span>
			<Button size="small" disabled={onPrevious === undefined} onClick={onPrevious}>
				{words?.previous ?? m.common_previous()}
			</Button>
			<Button size="small" disabled={onNext === undefined} onClick={onNext}>
				{words?.next ?? m.common_next()}
			</Button>
		</nav>
	);
}
