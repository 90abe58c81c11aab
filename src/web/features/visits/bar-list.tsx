import classes from './bar-list.module.css';

interface Bar {
	key: string;
	label: string;
	count: number;
	/** Beside the count, muted. */
	note?: string | undefined;
}

interface BarListProps {
	bars: readonly Bar[];
	format: (count: number) => string;
	/** Steps that follow on each other. */
	isOrdered?: boolean;
}

/** Names with their counts, each over a bar as long as its part of the largest. The words say it all: the bars are for the eye. */
export function BarList({ bars, format, isOrdered = false }: BarListProps) {
	const List = isOrdered ? 'ol' : 'ul';
	const most = Math.max(1, ...bars.map(({ count }) => count));
	return (
		<List className={classes.bars}>
			{bars.map(({ key, label, count, note }) => (
				<li key={key} className={classes.bar}>
					<span className={classes.label}>{label}</span>
					<span className={classes.count}>
						{format(count)}
						{note !== undefined && <span className={classes.note}>{note}</span>}
					</span>
					<span className={classes.track} aria-hidden="true">
						<span style={{ width: `${(count / most) * 100}%` }} data-some={count > 0 || undefined} />
					</span>
				</li>
			))}
		</List>
	);
}
