import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useRemovals } from './removal.api.ts';
import classes from './removal-progress.module.css';

/** How far the removals under way have come; nothing while there is none. */
export function RemovalProgress() {
	const { data: removals = [] } = useRemovals();
	if (removals.length === 0) return null;
	return (
		<section className={classes.running} aria-label={m.removal_running()}>
			{removals.map(({ id, email, totalFiles, removedFiles }) => (
				<div key={id} className={classes.removal}>
					<bdi className={classes.email}>{email}</bdi>
					<span className={classes.words}>
						{m.removal_progress({ removed: formatCount(removedFiles), total: formatCount(totalFiles) })}
					</span>
					<ProgressBar
						label={m.removal_progress_of({ email })}
						value={totalFiles === 0 ? 1 : removedFiles / totalFiles}
					/>
				</div>
			))}
		</section>
	);
}
