import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { UnfinishedUpload } from '#contract/files/uploads.ts';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { invalidateSoon } from '#web/platform/events.ts';
import { formatSize } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useHeightVariable } from '#web/ui/use-height-variable.ts';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { refreshUnfinished, useUnfinished } from './unfinished.ts';
import { UploadList } from './upload-list.tsx';
import classes from './upload-panel.module.css';
import { secondsLeft } from './upload-speed.ts';
import { inPanelOrder, summarise, type UploadSummary, type UploadTask } from './upload-task.ts';
import { titleOf, wordsForTime } from './upload-words.ts';
import { uploads, useUploadFinished, useUploads } from './uploads.ts';
import { useSkippedToasts } from './use-skipped-toasts.ts';

/** Up to so many files are announced one by one; more only as a whole. */
const announcedOneByOne = 3;

/** The uploads of this page in the lower corner, on whatever screen; lists are asked for again as files arrive. */
export function UploadPanel() {
	const tasks = useUploads();
	const unfinished = useUnfinished();
	const queryClient = useQueryClient();
	const [announced, setAnnounced] = useState('');
	useUploadFinished(
		useCallback(
			(task: UploadTask) => {
				if (uploads.getTasks().length <= announcedOneByOne) setAnnounced(m.files_announce_done({ name: task.name }));
				invalidateSoon(queryClient, api.files.key());
			},
			[queryClient],
		),
	);
	useSkippedToasts();
	const inHand = new Set(tasks.map((task) => task.uploadId));
	const left = unfinished.filter(({ id }) => !inHand.has(id));
	return (
		<>
			<p className={classes.hidden} role="status" aria-live="polite">
				{announced}
			</p>
			{tasks.length + left.length > 0 && <Panel tasks={tasks} left={left} />}
		</>
	);
}

function Panel({ tasks, left }: { tasks: readonly UploadTask[]; left: readonly UnfinishedUpload[] }) {
	const isPhone = useIsPhone();
	const [isFolded, setFolded] = useState(isPhone);
	const summary = summarise(tasks);
	const isOver = summary.running + summary.paused === 0;
	const title = titleOf(summary, left.length);
	const panel = useRef<HTMLElement>(null);
	// The last row of a list can be scrolled clear of it.
	useHeightVariable(panel, '--upload-panel');
	useEffect(() => {
		// What was begun and failed, or was left, is known to the server now.
		if (isOver) refreshUnfinished();
	}, [isOver]);
	return (
		<section ref={panel} className={classes.panel} aria-label={m.files_uploads()}>
			<header className={classes.head}>
				<div className={classes.words}>
					<h2 className={classes.title}>{title}</h2>
					<p className={classes.summary}>
						{tasks.length === 0 ? m.uploads_left_hint() : <Summary summary={summary} />}
					</p>
				</div>
				<IconButton
					size="small"
					label={isFolded ? m.files_unfold_uploads() : m.files_fold_uploads()}
					aria-expanded={!isFolded}
					icon={isFolded ? <IconChevronUp {...iconProps} /> : <IconChevronDown {...iconProps} />}
					onClick={() => setFolded(!isFolded)}
				/>
				{isOver && tasks.length > 0 && (
					<IconButton
						size="small"
						label={m.files_close_uploads()}
						icon={<IconX {...iconProps} />}
						onClick={() => uploads.clearOver()}
					/>
				)}
			</header>
			{tasks.length > 0 && <ProgressBar label={title} value={summary.percent / 100} height={3} />}
			<ForAll summary={summary} />
			{/* Tenths, so that a screen reader is told now and then and not at every byte. */}
			<p className={classes.hidden} role="status" aria-live="polite">
				{wordsForReader(summary, tasks.length)}
			</p>
			{!isFolded && <UploadList tasks={inPanelOrder(tasks)} left={left} />}
		</section>
	);
}

function wordsForReader(summary: UploadSummary, count: number): string {
	const { running, paused, percent, done, failed, skipped } = summary;
	if (running + paused > 0) return m.files_announce_progress({ percent: Math.floor(percent / 10) * 10 });
	return count > announcedOneByOne ? m.uploads_announce_all({ done, failed, skipped }) : '';
}

function Summary({ summary }: { summary: UploadSummary }) {
	const { percent, done, failed, skipped, running, paused, remainingBytes, isWaitingForSignIn } = summary;
	const bytesPerSecond = isWaitingForSignIn ? 0 : uploads.getSpeed();
	const seconds = running > 0 ? secondsLeft(remainingBytes, bytesPerSecond) : null;
	const parts = [
		// Of what was left out or canceled there is no percent.
		...(running + paused + done + failed > 0 ? [m.files_whole_percent({ percent })] : []),
		...(seconds === null ? [] : [m.files_speed({ size: formatSize(bytesPerSecond) }), wordsForTime(seconds)]),
		...(done > 0 ? [m.files_done_count({ count: done })] : []),
		// The time is that of what runs.
		...(running > 0 && paused > 0 ? [m.uploads_paused_count({ count: paused })] : []),
		...(skipped > 0 ? [m.uploads_skipped_count({ count: skipped })] : []),
	];
	return (
		<>
			{parts.join(' · ')}
			{isWaitingForSignIn && ` · ${m.uploads_signed_out()}`}
			{failed > 0 && (
				<>
					{' · '}
					<span className={classes.failed}>{m.files_failed_count({ count: failed })}</span>
				</>
			)}
		</>
	);
}

/** The same for the whole batch as the rows have for one. */
function ForAll({ summary: { running, paused, failed, skipped } }: { summary: UploadSummary }) {
	const hasMany = skipped > 1;
	if (running + paused + failed === 0 && !hasMany) return null;
	return (
		<div className={classes.all}>
			{running > 0 && (
				<Button variant="quiet" size="small" onClick={() => uploads.pause()}>
					{m.files_pause_all()}
				</Button>
			)}
			{running === 0 && paused > 0 && (
				<Button variant="quiet" size="small" onClick={() => uploads.resume()}>
					{m.files_resume_all()}
				</Button>
			)}
			{failed > 0 && (
				<Button variant="quiet" size="small" onClick={() => uploads.retry()}>
					{m.uploads_retry_all()}
				</Button>
			)}
			{running + paused > 0 && (
				<Button variant="quiet" size="small" onClick={() => uploads.cancel()}>
					{m.uploads_cancel_all()}
				</Button>
			)}
			{hasMany && (
				<>
					<Button variant="quiet" size="small" onClick={() => uploads.resolve('rename')}>
						{m.uploads_keep_both_all({ count: skipped })}
					</Button>
					<Button variant="quiet" size="small" onClick={() => uploads.resolve('replace')}>
						{m.uploads_replace_all({ count: skipped })}
					</Button>
				</>
			)}
		</div>
	);
}
