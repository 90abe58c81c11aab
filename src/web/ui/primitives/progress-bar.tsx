import classes from './progress-bar.module.css';

interface ProgressBarProps {
	label: string;
	value: number;
	height?: 2 | 3 | 4;
	isPaused?: boolean;
}

export function ProgressBar({ label, value, height = 4, isPaused = false }: ProgressBarProps) {
	const percent = Math.round(Math.min(Math.max(value, 0), 1) * 100);
	return (
		<div
			role="progressbar"
			aria-label={label}
			aria-valuenow={percent}
			aria-valuemin={0}
			aria-valuemax={100}
			className={classes.track}
			style={{ height }}
		>
			<div className={classes.done} data-paused={isPaused || undefined} style={{ width: `${percent}%` }} />
		</div>
	);
}
