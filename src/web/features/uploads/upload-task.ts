import type { UploadConflict } from '#contract/uploads/uploads.ts';
import type { Speed } from './upload-speed.ts';

/** The states of the specification's section 4. A running upload may be waiting for its turn, for the line, or for its person. */
export type UploadState = 'running' | 'paused' | 'success' | 'canceled' | 'error';

/** Where files go: the owner of the space as in the address, and the folder's chain of realPaths. */
export interface UploadTarget {
	owner: string;
	path: string;
}

/** One file on its way, as the upload panel shows it. */
export interface UploadTask extends UploadTarget {
	id: string;
	name: string;
	sizeBytes: number;
	sentBytes: number;
	state: UploadState;
	/** `turn`: others are before it; `line`: the connection is lost and is tried again; `sign-in`: the session is over. */
	waitingFor: 'turn' | 'line' | 'sign-in' | null;
	speed: Speed;
	/** The sentence of a failed upload, complete. */
	error: string | null;
	/** Skipped because the name is taken: somebody has to say what is to become of it. */
	isSkipped: boolean;
	/** What becomes of it when its name is taken, as far as somebody has said. */
	conflict: UploadConflict;
	/** Its name at the server, once it has one. */
	uploadId: string | null;
}

/** A file that waits for its turn. */
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

/** Everything that the head of the upload panel tells: the state of the whole batch. */
export interface UploadSummary {
	running: number;
	paused: number;
	done: number;
	/** Another try may help. */
	failed: number;
	canceled: number;
	/** Left out because their names are taken: no failures. */
	skipped: number;
	/** Of all files that were not canceled; a failed file counts with what it has sent. */
	percent: number;
	remainingBytes: number;
	isWaitingForSignIn: boolean;
}

/** Whole percent of one upload, 0 to 100; only a finished one shows 100. */
export function percentOf(task: Pick<UploadTask, 'sentBytes' | 'sizeBytes' | 'state'>): number {
	if (task.state === 'success') return 100;
	if (task.sizeBytes === 0) return 0;
	return Math.min(99, Math.floor((task.sentBytes / task.sizeBytes) * 100));
}

/** Adds the tasks up for the panel's head. */
export function summarise(tasks: readonly UploadTask[]): UploadSummary {
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
	// What was left out or canceled takes nothing from the rest.
	const isAllDone = summary.done === counted;
	const percent = isAllDone ? 100 : Math.min(99, Math.floor(part * 100));
	return { ...summary, percent, remainingBytes, isWaitingForSignIn };
}

/** Whether leaving the page would interrupt something. */
export function hasUnfinished(tasks: readonly UploadTask[]): boolean {
	return tasks.some(isUnfinished);
}

/** Under way or held. */
export function isUnfinished({ state }: Pick<UploadTask, 'state'>): boolean {
	return state === 'running' || state === 'paused';
}

/** As the panel lists them: what went wrong, what moves, what was skipped, what waits, what is over; each oldest first. */
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
