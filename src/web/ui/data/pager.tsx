import { Flex } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Button } from '../primitives/button.tsx';
import classes from './pager.module.css';

interface PagerProps {
	label: string;
	range: string;
	/** Whether another page is loading. Until then, the current page stays visible. */
	isFetching: boolean;
	labels?: { previous: string; next: string } | undefined;
	onPrevious: (() => void) | undefined;
	onNext: (() => void) | undefined;
}

/** Returns a text such as `51 to 100 of 1,204`. `before`: number of rows on earlier pages. */
export function formatRange(before: number, shown: number, total: number): string {
	return m.common_range({
		from: formatCount(Math.min(before + 1, total)),
		to: formatCount(before + shown),
		total: formatCount(total),
	});
}

export function Pager({ label, range, isFetching, labels, onPrevious, onNext }: PagerProps) {
	const [shownRange, setShownRange] = useState(range);
	if (!isFetching && shownRange !== range) setShownRange(range);
	return (
		<Flex component="nav" wrap="wrap" align="center" gap={8} pt={16} pb={4} aria-label={label}>
			<span className={classes.range} role="status">
				{shownRange}
			</span>
			<Button size="small" disabled={onPrevious === undefined} onClick={onPrevious}>
				{labels?.previous ?? m.common_previous()}
			</Button>
			<Button size="small" disabled={onNext === undefined} onClick={onNext}>
				{labels?.next ?? m.common_next()}
			</Button>
		</Flex>
	);
}
