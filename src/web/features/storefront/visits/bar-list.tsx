import classes from './visits.module.css';

export interface Bar {
	/** Each label once. */
	label: string;
	count: number;
	/** Beside the count, muted. */
	note?: string | undefined;
}

interface BarListProps {
	bars: readonly Bar[];
	format: (count: number) => string;
	isOrdered?: boolean;
}

/** Names with their counts, each over a bar as long as its part of the largest. The words say it all: the bars are for the eye. */
export function BarList({ bars, format, isOrdered = false }: BarListProps) {
	const List = isOrdered ? 'ol' : 'ul';
	const most = Math.max(1, ...bars.map(({ count }) => count));
	return (
		<List className={classes.bars}>
			{bars.map(({ label, count, note }) => (
				<li key={label} className={classes.bar}>
					<span className={classes.label}>{label}</span>
					<span className={classes.count}>
						{format(count)}
						{note !== undefined && <span className={classes.share}>{note}</span>}
					</span>
					<span className={classes.track} aria-hidden="true">
						<span style={{ width: `${(count / most) * 100}%` }} data-some={count > 0 || undefined} />
					</span>
				</li>
			))}
		</List>
	);
}

/** A part of a whole in percent, so that a small part does not read as none: 12%, 3.4%, under 0.1%. */
export function formatShare(part: number, whole: number): string {
	const percent = (part / whole) * 100;
	if (percent > 0 && percent < 0.1) return '< 0.1%';
	return `${new Intl.NumberFormat('en-IN', { maximumFractionDigits: percent < 10 ? 1 : 0 }).format(percent)}%`;
}
