import { IconAlertTriangle, IconCheck, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { m } from '#messages';
import { formatSize } from '#web/platform/formats/format.ts';
import { FileIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { ProgressBar } from '#web/ui/primitives/progress-bar.tsx';
import { secondsLeft } from '../upload-speed.ts';
import { percentOf, type UploadTask } from '../upload-task.ts';
import { uploads } from '../uploads.ts';
import classes from './upload-row.module.css';

/** One upload with its progress and its actions. */
export function UploadRow({ task }: { task: UploadTask }) {
	return (
		<div className={classes.row} data-state={task.isSkipped ? 'skipped' : task.state}>
			<FileIcon name={task.name} />
			<div className={classes.text}>
				<p className={classes.name} title={task.name}>
					<bdi>{task.name}</bdi>
				</p>
				<Status task={task} />
			</div>
			<Controls task={task} />
			{task.isSkipped && <NameConflictActions task={task} />}
		</div>
	);
}

function Status({ task }: { task: UploadTask }) {
	if (task.state === 'success') {
		return (
			<p className={`${classes.withIcon} ${classes.done}`}>
				<IconCheck {...smallIconProps} /> {m.files_uploaded({ size: formatSize(task.sizeBytes) })}
			</p>
		);
	}
	if (task.state === 'error') {
		return (
			<p className={`${classes.withIcon} ${task.isSkipped ? classes.skipped : classes.error}`}>
				<IconAlertTriangle {...smallIconProps} /> <span>{task.error}</span>
			</p>
		);
	}
	if (task.state === 'canceled') return <p className={classes.detail}>{m.files_canceled()}</p>;
	const percent = percentOf(task);
	const bytes = m.files_bytes_of({ sent: formatSize(task.sentBytes), total: formatSize(task.sizeBytes) });
	return (
		<>
			<div className={classes.bar}>
				<ProgressBar label={task.name} value={percent / 100} isPaused={task.state === 'paused'} />
			</div>
			<p className={classes.detail}>
				{task.state === 'paused' ? (
					<>
						<b>{m.files_paused()}</b> {m.files_paused_at({ percent })} · {bytes}
					</>
				) : task.waitingFor === 'turn' ? (
					m.files_waiting_queue()
				) : task.waitingFor === 'sign-in' ? (
					<>
						{m.files_whole_percent({ percent })} · <b>{m.uploads_signed_out()}</b>
					</>
				) : task.waitingFor === 'line' ? (
					<>
						{m.files_whole_percent({ percent })} · <b>{m.files_waiting_connection()}</b>
					</>
				) : (
					[m.files_whole_percent({ percent }), bytes, ...speedOf(task)].join(' · ')
				)}
			</p>
		</>
	);
}

/** The choices for a file whose name is taken. */
function NameConflictActions({ task: { id, name } }: { task: UploadTask }) {
	return (
		<div className={classes.choice}>
			<Button size="small" aria-label={m.uploads_keep_both_of({ name })} onClick={() => uploads.resolve('rename', id)}>
				{m.uploads_keep_both()}
			</Button>
			<Button size="small" aria-label={m.uploads_replace_of({ name })} onClick={() => uploads.resolve('replace', id)}>
				{m.uploads_replace()}
			</Button>
		</div>
	);
}

function speedOf({ speed, sizeBytes, sentBytes }: UploadTask): string[] {
	const seconds = secondsLeft(sizeBytes - sentBytes, speed.bytesPerSecond);
	if (seconds === null) return [];
	return [m.files_speed({ size: formatSize(speed.bytesPerSecond) }), timeLeftText(seconds)];
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
	return (
		<>
			{state === 'running' && (
				<IconButton
					size="small"
					label={m.files_pause_of({ name })}
					icon={<IconPlayerPause {...iconProps} />}
					onClick={() => uploads.pause(id)}
				/>
			)}
			{state === 'paused' && (
				<IconButton
					size="small"
					label={m.files_resume_of({ name })}
					icon={<IconPlayerPlay {...iconProps} />}
					onClick={() => uploads.resume(id)}
				/>
			)}
			{state === 'error' && !task.isSkipped && (
				<Button size="small" aria-label={m.files_retry_of({ name })} onClick={() => uploads.retry(id)}>
					{m.files_retry()}
				</Button>
			)}
			<IconButton
				size="small"
				label={m.files_cancel_of({ name })}
				icon={<IconX {...iconProps} />}
				onClick={() => uploads.cancel(id)}
			/>
		</>
	);
}

/** Text for the remaining time. */
export function timeLeftText(seconds: number): string {
	if (seconds < 60) return m.files_seconds_left({ count: seconds });
	if (seconds < 3600) return m.files_minutes_left({ count: Math.ceil(seconds / 60) });
	return m.files_hours_left({ count: Math.ceil(seconds / 3600) });
}
