import type { UploadConflict } from '#contract/files/uploads.ts';
import type { Speed } from './upload-speed.ts';

/** The states of the specification's section 4. A running upload may be waiting; see `waitingFor`. */
type UploadState = 'running' | 'paused' | 'success' | 'canceled' | 'error';

/** Target of uploads: the owner of the space as in the URL, and the folder's path (chain of realPaths). */
export interface UploadTarget {
	owner: string;
	path: string;
}

/** An upload of one file, as the upload panel shows it. */
export interface UploadTask extends UploadTarget {
	id: string;
	name: string;
	sizeBytes: number;
	sentBytes: number;
	state: UploadState;
	/** `turn`: other uploads come first; `line`: connection lost, retrying; `sign-in`: the session has ended. */
	waitingFor: 'turn' | 'line' | 'sign-in' | null;
	speed: Speed;
	error: string | null;
	/** Skipped because the name is taken: the user has to choose what to do. */
	isSkipped: boolean;
	/** What to do when its name is taken, if the user has chosen. */
	conflict: UploadConflict;
	/** The id of the upload at the server, once it has one. */
	uploadId: string | null;
}

/** Creates the task of a file that waits in the queue. */
export function createTask(id: string, { name, size }: File, target: UploadTarget, speed: Speed): UploadTask {
	return {
		id,
		...target,
		name,
		sizeBytes: size,
		sentBytes: 0,
		state: 'running',
		waitingFor: 'turn',
		speed,
		error: null,
		isSkipped: false,
		conflict: 'skip',
		uploadId: null,
	};
}

/** Whole percent of one upload, 0 to 100; only a finished upload shows 100. */
export function percentOf(task: Pick<UploadTask, 'sentBytes' | 'sizeBytes' | 'state'>): number {
	if (task.state === 'success') return 100;
	if (task.sizeBytes === 0) return 0;
	return Math.min(99, Math.floor((task.sentBytes / task.sizeBytes) * 100));
}

export type UploadSummary = ReturnType<typeof summarise>;

/**
 * Adds up the tasks for the panel's header. Skipped files do not count as failures. The percentage is that of the bytes
 * of all files that were neither canceled nor skipped; a failed file counts with the bytes sent.
 */
export function summarise(tasks: readonly UploadTask[]) {
	const summary = { running: 0, paused: 0, done: 0, failed: 0, skipped: 0, canceled: 0 };
	let counted = 0;
	let totalBytes = 0;
	let sentBytes = 0;
	let remainingBytes = 0;
	let isWaitingForSignIn = false;
	for (const task of tasks) {
		if (task.isSkipped) summary.skipped += 1;
		if (task.state === 'canceled') summary.canceled += 1;
		if (task.state === 'canceled' || task.isSkipped) continue;
		counted += 1;
		totalBytes += task.sizeBytes;
		sentBytes += task.state === 'success' ? task.sizeBytes : task.sentBytes;
		if (task.state === 'paused') summary.paused += 1;
		if (task.state === 'success') summary.done += 1;
		if (task.state === 'error') summary.failed += 1;
		if (task.state !== 'running') continue;
		summary.running += 1;
		remainingBytes += task.sizeBytes - task.sentBytes;
		isWaitingForSignIn ||= task.waitingFor === 'sign-in';
	}
	const part = totalBytes === 0 ? summary.done / Math.max(counted, 1) : sentBytes / totalBytes;
	// Skipped and canceled files do not reduce the percentage.
	const isAllDone = summary.done === counted;
	const percent = isAllDone ? 100 : Math.min(99, Math.floor(part * 100));
	return { ...summary, percent, remainingBytes, isWaitingForSignIn };
}

/** Whether leaving the page would interrupt an upload. */
export function hasUnfinished(tasks: readonly UploadTask[]): boolean {
	return tasks.some(isUnfinished);
}

/** Whether an upload is running or paused. */
export function isUnfinished({ state }: Pick<UploadTask, 'state'>): boolean {
	return state === 'running' || state === 'paused';
}

/** Sorts tasks for the panel: errors, then active, skipped, waiting and finished uploads, each oldest first. */
export function sortForPanel(tasks: readonly UploadTask[]): UploadTask[] {
	const groups: UploadTask[][] = [[], [], [], [], []];
	for (const task of tasks) groups[rankOf(task)]?.push(task);
	return groups.flat();
}

function rankOf({ state, waitingFor, isSkipped }: UploadTask): number {
	if (state === 'error') return isSkipped ? 2 : 0;
	if (state === 'success' || state === 'canceled') return 4;
	return state === 'running' && waitingFor === 'turn' ? 3 : 1;
}
