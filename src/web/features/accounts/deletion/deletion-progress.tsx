import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { useRunningDeletions } from './deletion-api.ts';
import classes from './deletion-progress.module.css';

/** How far the removals under way have come; nothing while there is none. */
export function DeletionProgress() {
	const { data: deletions = [] } = useRunningDeletions();
	if (deletions.length === 0) return null;
	return (
		<section className={classes.running} aria-label={m.account_deletion_running()}>
			{deletions.map(({ id, email, totalFiles, removedFiles }) => (
				<div key={id} className={classes.deletion}>
					<bdi className={classes.email}>{email}</bdi>
					<span className={classes.text}>
						{m.account_deletion_progress({ removed: formatCount(removedFiles), total: formatCount(totalFiles) })}
					</span>
					<ProgressBar
						label={m.account_deletion_progress_of({ email })}
						value={totalFiles === 0 ? 1 : removedFiles / totalFiles}
					/>
				</div>
			))}
		</section>
	);
}
