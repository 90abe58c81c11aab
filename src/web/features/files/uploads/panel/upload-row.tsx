import { Box, Group } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconCheck, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { m } from '#messages';
import { formatSize } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { PlainIconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { secondsLeft } from '../upload-speed.ts';
import { percentOf, type UploadTask } from '../upload-task.ts';
import { uploads } from '../uploads.ts';
import classes from './upload-row.module.css';

interface UploadRowFrameProps {
	name: string;
	title?: string;
	state?: string;
	status: ReactNode;
	children: ReactNode;
}

export function UploadRowFrame({ name, title = name, state, status, children }: UploadRowFrameProps) {
	return (
		<div className={classes.row} data-state={state}>
			<FileIcon name={name} />
			<div className={classes.text}>
				<p className={classes.name} title={title}>
					<bdi>{name}</bdi>
				</p>
				{status}
			</div>
			{children}
		</div>
	);
}

/** Memoised, because the panel renders after each change of an upload. */
export const UploadRow = memo(({ task }: { task: UploadTask }) => {
	useLocale();
	const { name, isSkipped, state } = task;
	return (
		<UploadRowFrame name={name} state={isSkipped ? 'skipped' : state} status={<Status task={task} />}>
			<Controls task={task} />
			{isSkipped && <NameConflictActions task={task} />}
		</UploadRowFrame>
	);
});

function Status({ task }: { task: UploadTask }) {
	if (task.state === 'success') {
		return (
			<p className={classes.withIcon} style={{ color: 'var(--positive)' }}>
				<IconCheck {...smallIconProps} /> {m.files_uploaded({ size: formatSize(task.sizeBytes) })}
			</p>
		);
	}
	if (task.state === 'error') {
		return (
			<p className={classes.withIcon} style={{ color: task.isSkipped ? 'var(--ink-2)' : 'var(--negative)' }}>
				<IconAlertTriangle {...smallIconProps} /> <span>{task.error}</span>
			</p>
		);
	}
	if (task.state === 'canceled') return <p className={classes.detail}>{m.files_canceled()}</p>;
	return (
		<>
			<Box mt={5} mb={4}>
				<ProgressBar label={task.name} value={percentOf(task) / 100} isPaused={task.state === 'paused'} />
			</Box>
			<p className={classes.detail}>
				<Progress task={task} />
			</p>
		</>
	);
}

function Progress({ task }: { task: UploadTask }) {
	const { state, waitingFor, sentBytes, sizeBytes, speed } = task;
	const percent = percentOf(task);
	const bytes = m.files_bytes_of({ sent: formatSize(sentBytes), total: formatSize(sizeBytes) });
	if (state === 'paused')
		return (
			<>
				<b>{m.files_paused()}</b> {m.files_paused_at({ percent })} · {bytes}
			</>
		);
	if (waitingFor === 'turn') return m.files_waiting_queue();
	const percentText = m.files_whole_percent({ percent });
	if (waitingFor !== null)
		return (
			<>
				{percentText} · <b>{waitingFor === 'sign-in' ? m.uploads_signed_out() : m.files_waiting_connection()}</b>
			</>
		);
	const seconds = secondsLeft(sizeBytes - sentBytes, speed.bytesPerSecond);
	if (seconds === null) return `${percentText} · ${bytes}`;
	const perSecond = m.files_speed({ size: formatSize(speed.bytesPerSecond) });
	return [percentText, bytes, perSecond, timeLeftText(seconds)].join(' · ');
}

function NameConflictActions({ task: { id, name } }: { task: UploadTask }) {
	return (
		<Group gap={8} mt={6} ml={44} style={{ flexBasis: '100%' }}>
			<Button size="small" aria-label={m.uploads_keep_both_of({ name })} onClick={() => uploads.resolve('rename', id)}>
				{m.uploads_keep_both()}
			</Button>
			<Button size="small" aria-label={m.uploads_replace_of({ name })} onClick={() => uploads.resolve('replace', id)}>
				{m.uploads_replace()}
			</Button>
		</Group>
	);
}

function Controls({ task }: { task: UploadTask }) {
	const { id, name, owner, path, state } = task;
	if (state === 'success') {
		return (
			<ButtonLink
				variant="quiet"
				size="small"
				aria-label={m.files_show_of({ name })}
				to="/user/$email"
				params={{ email: owner }}
				search={path === '' ? {} : { path }}
			>
				{m.files_show()}
			</ButtonLink>
		);
	}
	if (state === 'canceled') return null;
	const button = (label: string, Drawing: Icon, act: (id: string) => void) => (
		<PlainIconButton size="small" label={label} title={label} icon={Drawing} onClick={() => act(id)} />
	);
	return (
		<>
			{state === 'running' && button(m.files_pause_of({ name }), IconPlayerPause, uploads.pause)}
			{state === 'paused' && button(m.files_resume_of({ name }), IconPlayerPlay, uploads.resume)}
			{state === 'error' && !task.isSkipped && (
				<Button size="small" aria-label={m.files_retry_of({ name })} onClick={() => uploads.retry(id)}>
					{m.files_retry()}
				</Button>
			)}
			{button(m.files_cancel_of({ name }), IconX, uploads.cancel)}
		</>
	);
}

export function timeLeftText(seconds: number): string {
	if (seconds < 60) return m.files_seconds_left({ count: seconds });
	if (seconds < 3600) return m.files_minutes_left({ count: Math.ceil(seconds / 60) });
	return m.files_hours_left({ count: Math.ceil(seconds / 3600) });
}
