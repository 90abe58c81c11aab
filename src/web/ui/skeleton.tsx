import classes from './skeleton.module.css';

interface SkeletonProps {
	/** CSS lengths. */
	width?: string;
	height?: string;
	isRound?: boolean;
}

/** A box where something is about to stand. Hidden from screen readers: the screen says once that it is loading. */
export function Skeleton({ width = '100%', height = '16px', isRound = false }: SkeletonProps) {
	return (
		<span className={classes.box} data-round={isRound || undefined} style={{ width, height }} aria-hidden="true" />
	);
}
