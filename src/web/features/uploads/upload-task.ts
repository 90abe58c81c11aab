import type { Speed } from './upload-speed.ts';

/** The states of the specification's section 4. A running upload may be waiting for its turn or for the line. */
export type UploadState = 'running' | 'paused' | 'success' | 'canceled' | 'error';

/** Where a file goes: the owner of the space as in the address, and the folder's chain of realPaths. */
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
	/** `turn`: others are before it; `line`: the connection is lost and is tried again. */
	waitingFor: 'turn' | 'line' | null;
	speed: Speed;
	/** The sentence of a failed upload, complete. */
	error: string | null;
	/** Skipped because the name is taken: trying again changes nothing. */
	isSkipped: boolean;
}

/** Everything that the head of the upload panel tells. */
export interface UploadSummary {
	running: number;
	paused: number;
	done: number;
	failed: number;
	/** Of all files that were not canceled; a failed file counts with what it has sent. */
	percent: number;
	remainingBytes: number;
	bytesPerSecond: number;
}

/** Whole percent of one upload, 0 to 100; only a finished one shows 100. */
export function percentOf(task: Pick<UploadTask, 'sentBytes' | 'sizeBytes' | 'state'>): number {
	if (task.state === 'success') return 100;
	if (task.sizeBytes === 0) return 0;
	return Math.min(99, Math.floor((task.sentBytes / task.sizeBytes) * 100));
}

/** Adds the tasks up for the panel's head. */
export function summarise(tasks: readonly UploadTask[]): UploadSummary {
	const counted = tasks.filter((task) => task.state !== 'canceled' && !task.isSkipped);
	const active = counted.filter((task) => task.state === 'running');
	const sum = (list: readonly UploadTask[], of: (task: UploadTask) => number) =>
		list.reduce((total, task) => total + of(task), 0);
	const total = sum(counted, (task) => task.sizeBytes);
	const sent = sum(counted, (task) => (task.state === 'success' ? task.sizeBytes : task.sentBytes));
	const isAllDone = counted.length > 0 && counted.every((task) => task.state === 'success');
	return {
		running: active.length,
		paused: counted.filter((task) => task.state === 'paused').length,
		done: counted.filter((task) => task.state === 'success').length,
		failed: tasks.filter((task) => task.state === 'error').length,
		percent: isAllDone ? 100 : total === 0 ? 0 : Math.min(99, Math.floor((sent / total) * 100)),
		remainingBytes: sum(active, (task) => task.sizeBytes - task.sentBytes),
		bytesPerSecond: sum(active, (task) => (task.waitingFor === null ? task.speed.bytesPerSecond : 0)),
	};
}

/** Whether leaving the page would interrupt something. */
export function isAnyUnfinished(tasks: readonly UploadTask[]): boolean {
	return tasks.some((task) => task.state === 'running' || task.state === 'paused');
}

/** As the panel lists them: what is under way or went wrong before what is over, each oldest first. */
export function inPanelOrder(tasks: readonly UploadTask[]): UploadTask[] {
	const isOver = (task: UploadTask) => task.state === 'success' || task.state === 'canceled';
	return [...tasks.filter((task) => !isOver(task)), ...tasks.filter(isOver)];
}
