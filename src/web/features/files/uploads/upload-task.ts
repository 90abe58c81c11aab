import type { UploadConflict } from '#contract/files/uploads.ts';
import type { Speed } from './upload-speed.ts';

/** The states of the specification's section 4. A running upload can be waiting; see `waitingFor`. */
type UploadState = 'running' | 'paused' | 'success' | 'canceled' | 'error';

/** `owner`: owner of the space, as in the URL. `path`: the folder's path, which consists of realPaths. */
export interface UploadTarget {
	owner: string;
	path: string;
}

export interface UploadTask extends UploadTarget {
	id: string;
	name: string;
	sizeBytes: number;
	sentBytes: number;
	state: UploadState;
	/** `turn`: other uploads are running; `line`: the connection is lost; `sign-in`: the session has ended. */
	waitingFor: 'turn' | 'line' | 'sign-in' | null;
	speed: Speed;
	error: string | null;
	/** Whether the file was skipped because its name is taken. The user then chooses how to continue. */
	isSkipped: boolean;
	conflict: UploadConflict;
	uploadId: string | null;
}

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

/** Returns a whole percentage. Returns 100 only for a finished upload. */
export function percentOf(task: Pick<UploadTask, 'sentBytes' | 'sizeBytes' | 'state'>): number {
	if (task.state === 'success') return 100;
	if (task.sizeBytes === 0) return 0;
	return Math.min(99, Math.floor((task.sentBytes / task.sizeBytes) * 100));
}

export type UploadSummary = ReturnType<typeof summarise>;

/** Skipped files are not failures. The percentage is by bytes, and excludes canceled and skipped files. */
export function summarise(tasks: readonly UploadTask[]) {
	const summary = { running: 0, paused: 0, success: 0, error: 0, skipped: 0, canceled: 0 };
	for (const { isSkipped, state } of tasks) summary[isSkipped ? 'skipped' : state] += 1;
	const { success: done, error: failed, ...rest } = summary;
	const counted = tasks.filter(({ isSkipped, state }) => !isSkipped && state !== 'canceled');
	const running = counted.filter(({ state }) => state === 'running');
	const totalBytes = sum(counted, ({ sizeBytes }) => sizeBytes);
	const sentBytes = sum(counted, (task) => (task.state === 'success' ? task.sizeBytes : task.sentBytes));
	const share = totalBytes === 0 ? done / Math.max(counted.length, 1) : sentBytes / totalBytes;
	return {
		...rest,
		done,
		failed,
		percent: done === counted.length ? 100 : Math.min(99, Math.floor(share * 100)),
		remainingBytes: sum(running, (task) => task.sizeBytes - task.sentBytes),
		isWaitingForSignIn: running.some(({ waitingFor }) => waitingFor === 'sign-in'),
	};
}

function sum(tasks: readonly UploadTask[], bytesOf: (task: UploadTask) => number): number {
	return tasks.reduce((total, task) => total + bytesOf(task), 0);
}

export function hasUnfinished(tasks: readonly UploadTask[]): boolean {
	return tasks.some(isUnfinished);
}

export function isUnfinished({ state }: Pick<UploadTask, 'state'>): boolean {
	return state === 'running' || state === 'paused';
}

/** Failed uploads are first, then running or paused, skipped, queued and ended uploads; in a group, the oldest. */
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
