import { Box, Group } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { UnfinishedUpload } from '#contract/files/uploads.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { invalidateThrottled } from '#web/platform/events/server-events.ts';
import { formatSize } from '#web/platform/formats/format.ts';
import { useHeightVariable, useIsPhone } from '#web/ui/hooks/viewport.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { invalidateUnfinishedUploads, useUnfinishedUploads } from '../unfinished-uploads.ts';
import { secondsLeft } from '../upload-speed.ts';
import { sortForPanel, summarise, type UploadSummary, type UploadTask } from '../upload-task.ts';
import { uploads, useUploads } from '../uploads.ts';
import { UploadList } from './upload-list.tsx';
import classes from './upload-panel.module.css';
import { timeLeftText } from './upload-row.tsx';

/** If the panel has more uploads than this, only the end of all uploads is announced, not the end of each one. */
const maxAnnouncedSingly = 3;

/** Shows running, ended and unfinished uploads. Also refetches file lists when uploads finish. */
export function UploadPanel() {
	const tasks = useUploads();
	const unfinished = useUnfinishedUploads();
	const queryClient = useQueryClient();
	const [announced, setAnnounced] = useState('');
	useEffect(
		() =>
			uploads.onEnded(({ name, state }) => {
				if (state !== 'success') return;
				if (uploads.getTasks().length <= maxAnnouncedSingly) setAnnounced(m.files_announce_done({ name }));
				invalidateThrottled(queryClient, api.files.key());
			}),
		[queryClient],
	);
	const pathname = useLocation({ select: (location) => location.pathname });
	const shownAt = useRef(pathname);
	useEffect(() => {
		if (shownAt.current === pathname) return;
		shownAt.current = pathname;
		// On another screen, a panel without problems is in the way.
		if (uploads.getTasks().every(({ state }) => state === 'success')) uploads.clearFinished();
	}, [pathname]);
	const activeIds = new Set(tasks.map((task) => task.uploadId));
	const otherUnfinished = unfinished.filter(({ id }) => !activeIds.has(id));
	return (
		<>
			<p className={textClasses.hidden} role="status" aria-live="polite">
				{announced}
			</p>
			{tasks.length + otherUnfinished.length > 0 && <Panel tasks={tasks} unfinished={otherUnfinished} />}
		</>
	);
}

function Panel({ tasks, unfinished }: { tasks: readonly UploadTask[]; unfinished: readonly UnfinishedUpload[] }) {
	const isPhone = useIsPhone();
	const [isFolded, setFolded] = useState(isPhone);
	const summary = summarise(tasks);
	const isOver = summary.running + summary.paused === 0;
	const title = panelTitle(summary, unfinished.length);
	const panel = useRef<HTMLElement>(null);
	// Reserves space, so that the panel does not cover the last row of a list.
	useHeightVariable(panel, '--upload-panel');
	const queryClient = useQueryClient();
	useEffect(() => {
		if (!isOver) return;
		// The list of unfinished uploads may have changed.
		invalidateUnfinishedUploads();
		// File lists must be complete when the panel reports the end.
		void queryClient.invalidateQueries({ queryKey: api.files.key() });
	}, [isOver, queryClient]);
	return (
		<section ref={panel} className={classes.panel} aria-label={m.files_uploads()}>
			<Group component="header" gap={4} wrap="nowrap" py={10} pl={16} pr={8}>
				<div style={{ flex: 1, minWidth: 0 }}>
					<Box component="h2" fz="md" fw={600}>
						{title}
					</Box>
					<p className={textClasses.smallFigure}>
						{tasks.length === 0 ? m.uploads_unfinished_hint() : <Summary summary={summary} />}
					</p>
				</div>
				<IconButton
					size="small"
					label={isFolded ? m.files_expand_uploads() : m.files_collapse_uploads()}
					aria-expanded={!isFolded}
					icon={isFolded ? IconChevronUp : IconChevronDown}
					onClick={() => setFolded(!isFolded)}
				/>
				{isOver && tasks.length > 0 && (
					<IconButton
						size="small"
						label={m.files_close_uploads()}
						icon={IconX}
						onClick={() => uploads.clearFinished()}
					/>
				)}
			</Group>
			{tasks.length > 0 && <ProgressBar label={title} value={summary.percent / 100} height={3} />}
			<BatchActions summary={summary} />
			{/* Announces progress in steps of 10 %, because each announcement interrupts screen readers. */}
			<p className={textClasses.hidden} role="status" aria-live="polite">
				{screenReaderText(summary, tasks.length)}
			</p>
			{!isFolded && <UploadList tasks={sortForPanel(tasks)} unfinished={unfinished} />}
		</section>
	);
}

function screenReaderText(summary: UploadSummary, count: number): string {
	const { running, paused, percent, done, failed, skipped } = summary;
	if (running + paused > 0) return m.files_announce_progress({ percent: Math.floor(percent / 10) * 10 });
	return count > maxAnnouncedSingly ? m.uploads_announce_all({ done, failed, skipped }) : '';
}

function Summary({ summary }: { summary: UploadSummary }) {
	const { percent, done, failed, skipped, running, paused, remainingBytes, isWaitingForSignIn } = summary;
	const bytesPerSecond = isWaitingForSignIn ? 0 : uploads.getSpeed();
	const seconds = running > 0 ? secondsLeft(remainingBytes, bytesPerSecond) : null;
	const parts = [
		// Skipped and canceled files have no percentage.
		...(running + paused + done + failed > 0 ? [m.files_whole_percent({ percent })] : []),
		...(seconds === null ? [] : [m.files_speed({ size: formatSize(bytesPerSecond) }), timeLeftText(seconds)]),
		...(done > 0 ? [m.files_done_count({ count: done })] : []),
		// Shown because the remaining time does not include paused uploads.
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
					<Box component="span" c="var(--negative)" fw={550}>
						{m.files_failed_count({ count: failed })}
					</Box>
				</>
			)}
		</>
	);
}

function BatchActions({ summary: { running, paused, failed, skipped } }: { summary: UploadSummary }) {
	const actions = [
		...(running > 0 ? [{ label: m.files_pause_all(), act: () => uploads.pause() }] : []),
		...(running === 0 && paused > 0 ? [{ label: m.files_resume_all(), act: () => uploads.resume() }] : []),
		...(failed > 0 ? [{ label: m.uploads_retry_all(), act: () => uploads.retry() }] : []),
		...(running + paused > 0 ? [{ label: m.uploads_cancel_all(), act: () => uploads.cancel() }] : []),
		...(skipped > 1
			? [
					{ label: m.uploads_keep_both_all({ count: skipped }), act: () => uploads.resolve('rename') },
					{ label: m.uploads_replace_all({ count: skipped }), act: () => uploads.resolve('replace') },
				]
			: []),
	];
	if (actions.length === 0) return null;
	return (
		<Group gap={4} px={8} py={6}>
			{actions.map(({ label, act }) => (
				<Button key={label} variant="quiet" size="small" onClick={act}>
					{label}
				</Button>
			))}
		</Group>
	);
}

/** `unfinishedCount`: number of uploads that no tab is running. */
function panelTitle(summary: UploadSummary, unfinishedCount: number): string {
	const { running, paused, failed, done, skipped, canceled } = summary;
	if (running > 0) return running === 1 ? m.files_uploading_one() : m.files_uploading({ count: running });
	if (paused > 0) return m.files_uploads_paused();
	if (failed + done + skipped + canceled === 0 && unfinishedCount > 0)
		return unfinishedCount === 1 ? m.uploads_unfinished_one() : m.uploads_unfinished_many({ count: unfinishedCount });
	if (failed + done + skipped === 0) return m.uploads_canceled_all();
	return failed > 0 ? m.files_uploads_failed_title() : m.files_uploads_finished();
}
