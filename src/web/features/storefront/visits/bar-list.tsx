import { Box } from '@mantine/core';
import { formatCount } from '#shared/numbers.ts';
import classes from './visits.module.css';

export interface Bar {
	/** Unique in the list. */
	label: string;
	count: number;
	note?: string | undefined;
}

/** The largest count has the longest bar. Screen readers ignore the bars. */
export function BarList({ bars, isOrdered = false }: { bars: readonly Bar[]; isOrdered?: boolean }) {
	const List = isOrdered ? 'ol' : 'ul';
	const most = Math.max(1, ...bars.map(({ count }) => count));
	return (
		<List className={classes.bars}>
			{bars.map(({ label, count, note }) => (
				<li key={label} className={classes.bar}>
					<span className={classes.label}>{label}</span>
					<span className={classes.count}>
						{formatCount(count)}
						{note !== undefined && (
							<Box component="span" display="block" c="dimmed" fz="xs" fw={400}>
								{note}
							</Box>
						)}
					</span>
					<span className={classes.track} aria-hidden="true">
						<span style={{ width: `${(count / most) * 100}%` }} data-some={count > 0 || undefined} />
					</span>
				</li>
			))}
		</List>
	);
}

/** Formats a percentage, for example `12%`, `3.4%` or `< 0.1%`. Only 0 is formatted as `0%`. */
export function formatShare(part: number, whole: number): string {
	const percent = (part / whole) * 100;
	if (percent > 0 && percent < 0.1) return '< 0.1%';
	return `${new Intl.NumberFormat('en-IN', { maximumFractionDigits: percent < 10 ? 1 : 0 }).format(percent)}%`;
}
