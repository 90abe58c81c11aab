import { Skeleton } from '../states/skeleton.tsx';
import classes from './figures.module.css';

interface FiguresProps {
	label?: string;
	/** A value is undefined while it loads. */
	figures: Array<{ label: string; value: string | undefined }>;
	/** Class that sets the number of columns. */
	className: string | undefined;
}

export function Figures({ label, figures, className }: FiguresProps) {
	return (
		<dl className={`${classes.figures} ${className}`} aria-label={label}>
			{figures.map((figure) => (
				<div key={figure.label} className={classes.figure}>
					<dt>{figure.label}</dt>
					<dd>{figure.value ?? <Skeleton width="72px" height="22px" />}</dd>
				</div>
			))}
		</dl>
	);
}
