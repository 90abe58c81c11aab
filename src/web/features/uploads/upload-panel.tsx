import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { toastError, toastMs } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useHeightVariable } from '#web/ui/use-height-variable.ts';
import classes from './upload-panel.module.css';
import { UploadRow } from './upload-row.tsx';
import { secondsLeft } from './upload-speed.ts';
import { inPanelOrder, summarise, type UploadSummary, type UploadTask } from './upload-task.ts';
import { uploads, useUploadFinished, useUploadSkipped, useUploads } from './uploads.ts';

/** The uploads of this page in the lower corner, on whatever screen; lists are asked for again as files arrive. */
export function UploadPanel() {
	const tasks = useUploads();
	const queryClient = useQueryClient();
	const [announced, setAnnounced] = useState('');
	useUploadFinished(
		useCallback(
			(task: UploadTask) => {
				setAnnounced(m.files_announce_done({ name: task.name }));
				void queryClient.invalidateQueries({ queryKey: api.files.key() });
			},
			[queryClient],
		),
	);
	useUploadSkipped(useCallback((task: UploadTask) => void toastError(task.error, toastMs.files), []));
	return (
		<>
			<p className={classes.hidden} role="status" aria-live="polite">
				{announced}
			</p>
			{tasks.length > 0 && <Panel tasks={tasks} />}
		</>
	);
}

function Panel({ tasks }: { tasks: readonly UploadTask[] }) {
	const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
	const [isFolded, setFolded] = useState(isPhone);
	const summary = summarise(tasks);
	const isOver = summary.running + summary.paused === 0;
	const title = titleOf(summary);
	const panel = useRef<HTMLElement>(null);
	// The last row of a list can be scrolled clear of it.
	useHeightVariable(panel, '--upload-panel');
	return (
		<section ref={panel} className={classes.panel} aria-label={m.files_uploads()}>
			<header className={classes.head}>
				<div className={classes.words}>
					<h2 className={classes.title}>{title}</h2>
					<p className={classes.summary}>
						<Summary summary={summary} />
					</p>
				</div>
				{!isOver && <PauseAll tasks={tasks} isRunning={summary.running > 0} />}
				<IconButton
					size="small"
					label={isFolded ? m.files_unfold_uploads() : m.files_fold_uploads()}
					aria-expanded={!isFolded}
					icon={isFolded ? <IconChevronUp {...iconProps} /> : <IconChevronDown {...iconProps} />}
					onClick={() => setFolded(!isFolded)}
				/>
				{isOver && (
					<IconButton
						size="small"
						label={m.files_close_uploads()}
						icon={<IconX {...iconProps} />}
						onClick={() => uploads.clearOver()}
					/>
				)}
			</header>
			<ProgressBar label={title} value={summary.percent / 100} height={3} />
			{/* Tenths, so that a screen reader is told now and then and not at every byte. */}
			<p className={classes.hidden} role="status" aria-live="polite">
				{isOver ? '' : m.files_announce_progress({ percent: Math.floor(summary.percent / 10) * 10 })}
			</p>
			{!isFolded && (
				<ul className={classes.list}>
					{inPanelOrder(tasks).map((task) => (
						<UploadRow key={task.id} task={task} />
					))}
				</ul>
			)}
		</section>
	);
}

function Summary({ summary }: { summary: UploadSummary }) {
	const { percent, done, failed, running, remainingBytes, bytesPerSecond } = summary;
	const seconds = running > 0 ? secondsLeft(remainingBytes, bytesPerSecond) : null;
	const parts = [
		m.files_whole_percent({ percent }),
		...(seconds === null ? [] : [wordsForTime(seconds)]),
		...(done > 0 ? [m.files_done_count({ count: done })] : []),
	];
	return (
		<>
			{parts.join(' · ')}
			{failed > 0 && (
				<>
					{' · '}
					<span className={classes.failed}>{m.files_failed_count({ count: failed })}</span>
				</>
			)}
		</>
	);
}

function PauseAll({ tasks, isRunning }: { tasks: readonly UploadTask[]; isRunning: boolean }) {
	const act = isRunning ? uploads.pause : uploads.resume;
	return (
		<Button variant="quiet" size="small" onClick={() => tasks.forEach((task) => void act(task.id))}>
			{isRunning ? m.files_pause_all() : m.files_resume_all()}
		</Button>
	);
}

function titleOf({ running, paused, failed }: UploadSummary): string {
	if (running > 0) return running === 1 ? m.files_uploading_one() : m.files_uploading({ count: running });
	if (paused > 0) return m.files_uploads_paused();
	return failed > 0 ? m.files_uploads_failed_head() : m.files_uploads_over();
}

function wordsForTime(seconds: number): string {
	if (seconds < 60) return m.files_seconds_left({ count: seconds });
	if (seconds < 3600) return m.files_minutes_left({ count: Math.ceil(seconds / 60) });
	return m.files_hours_left({ count: Math.ceil(seconds / 3600) });
}
