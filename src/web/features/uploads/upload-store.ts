import type { UploadConflict } from '#contract/uploads/uploads.ts';
import { createChangeNotifier, createEmitter, type Emitter } from './emitter.ts';
import type { FileHandle } from './stored-file-handles.ts';
import { createBatchSpeed, nextSpeed, startSpeed } from './upload-speed.ts';
import { createTask, isUnfinished, type UploadTarget, type UploadTask } from './upload-task.ts';
import type { CreateTransport, Transport, UploadDestination } from './upload-transport.ts';

/** Words for a failed upload; given in, so that the store knows no language. */
export type DescribeUploadFailure = (
	name: string,
	failure: { status: number; code: string },
	message: string,
) => string;

/** A file to be sent. */
export interface UploadItem {
	file: File;
	/** Makes the folders on the way and says where the file goes; without it, straight into the target. */
	findDestination?: (conflict: UploadConflict) => Promise<UploadDestination>;
	/** The way back to the file after a closed tab, where the browser gives one. */
	findHandle?: () => Promise<FileHandle | null>;
}

/** All uploads of this page. It lives outside React and so outlives every change of screen. */
export interface UploadStore {
	/** The tasks, oldest first; a new array after every change. */
	getTasks: () => readonly UploadTask[];
	/** Bytes per second of all of them together. */
	getSpeed: () => number;
	subscribe: (listener: () => void) => () => void;
	/** Hears of each file that the server has taken whole. */
	onFinished: (listener: (task: UploadTask) => void) => () => void;
	/** Hears of each file that was left out because its name is taken. */
	onSkipped: (listener: (task: UploadTask) => void) => () => void;
	add: (items: readonly UploadItem[], target: UploadTarget) => void;
	/** One file, or without an id all that are running. */
	pause: (id?: string) => void;
	resume: (id?: string) => void;
	cancel: (id?: string) => void;
	/** A failed upload again, from what the server already has. */
	retry: (id?: string) => void;
	/** Sends what was skipped after all: beside the file that has its name, or in its place. One file, or all. */
	resolve: (conflict: Exclude<UploadConflict, 'skip'>, id?: string) => void;
	/** Goes on with what waits for its person. */
	resumeAfterSignIn: () => void;
	/** Takes tasks that are over off the list. */
	clearFinished: () => void;
	/** Stops everything without telling the server: another person sits here now. */
	stopAll: () => void;
}

export interface UploadStoreOptions {
	createTransport: CreateTransport;
	describeFailure: DescribeUploadFailure;
	now: () => number;
	/** Uploads that run side by side; a browser has six connections to a server over HTTP/1.1, and one is the event stream. */
	concurrency: number;
	/** Calls back soon; a thousand changes are told of in a few. */
	schedule: (tell: () => void) => void;
	/** The session is over: somebody has to sign in. */
	onSignedOut: () => void;
}

const canceledVisibleMs = 4000;

/** Makes a store; the app has one, tests make their own. */
export function createUploadStore(options: UploadStoreOptions): UploadStore {
	const { createTransport, describeFailure, now, concurrency } = options;
	const tasks = new Map<string, UploadTask>();
	const transportFactories = new Map<string, () => Transport>();
	const transports = new Map<string, Transport>();
	const queue = new Set<string>();
	const underWay = new Set<string>();
	const changes = createChangeNotifier(options.schedule);
	const finished = createEmitter<UploadTask>();
	const skipped = createEmitter<UploadTask>();
	const batch = createBatchSpeed(now);
	let snapshot: readonly UploadTask[] | null = [];
	let isSignedOut = false;
	let count = 0;

	function changed(): void {
		snapshot = null;
		changes.notify();
	}

	function change(id: string, part: Partial<UploadTask>): void {
		const task = tasks.get(id);
		if (task === undefined) return;
		tasks.set(id, { ...task, ...part });
		changed();
	}

	function emitTask(emitter: Emitter<UploadTask>, id: string): void {
		const task = tasks.get(id);
		if (task) emitter.emit(task);
	}

	function drop(id: string): void {
		transports.get(id)?.releaseLock();
		for (const kept of [tasks, transportFactories, transports, queue, underWay]) kept.delete(id);
		changed();
	}

	/** A canceled file stays struck out for a moment and then leaves the list. */
	function dropCanceledLater(id: string): void {
		setTimeout(() => tasks.get(id)?.state === 'canceled' && drop(id), canceledVisibleMs);
	}

	function transportOf(id: string): Transport | undefined {
		const transport = transports.get(id) ?? transportFactories.get(id)?.();
		if (transport) transports.set(id, transport);
		return transport;
	}

	function startNext(): void {
		for (const id of queue) {
			if (isSignedOut || underWay.size >= concurrency) return;
			queue.delete(id);
			underWay.add(id);
			if (underWay.size === 1) batch.start();
			change(id, { waitingFor: null, speed: startSpeed(now()) });
			void transportOf(id)?.start();
		}
	}

	function finish(id: string, part: Partial<UploadTask>): void {
		queue.delete(id);
		underWay.delete(id);
		change(id, { waitingFor: null, ...part });
		startNext();
	}

	function enqueue(id: string): void {
		change(id, { state: 'running', waitingFor: isSignedOut ? 'sign-in' : 'turn', error: null });
		if (!isSignedOut) queue.add(id);
	}

	/** Counts what has been sent now; what the server had already, heard of first, was sent before. */
	function countSentBytes(task: UploadTask, sentBytes: number): void {
		batch.addBytes(task.speed.lastBytes === null ? 0 : Math.max(0, sentBytes - task.sentBytes));
	}

	function waitForSignIn(id: string): void {
		isSignedOut = true;
		finish(id, { state: 'running', waitingFor: 'sign-in' });
		options.onSignedOut();
	}

	function openTransport(
		id: string,
		{ file, findDestination: findPlace, findHandle }: UploadItem,
		target: UploadTarget,
	): Transport {
		const find = () => tasks.get(id);
		const conflict = find()?.conflict ?? 'skip';
		const work = {
			file,
			owner: target.owner,
			conflict,
			findDestination: async () => (await findPlace?.(conflict)) ?? { path: target.path },
			findHandle: findHandle ?? (async () => null),
		};
		return createTransport(work, {
			onCreated: (place) => change(id, place),
			onProgress: (sentBytes) => {
				const task = find();
				if (task?.state !== 'running') return;
				countSentBytes(task, sentBytes);
				change(id, { sentBytes, waitingFor: null, speed: nextSpeed(task.speed, sentBytes, now()) });
			},
			onWaiting: () => change(id, { waitingFor: 'line' }),
			onSuccess: () => {
				const task = find();
				if (task) countSentBytes(task, file.size);
				finish(id, { state: 'success', sentBytes: file.size });
				transports.delete(id);
				transportFactories.delete(id);
				emitTask(finished, id);
			},
			onFailure: (failure, message) => {
				if (failure.status === 401) return waitForSignIn(id);
				const isSkipped = failure.code === 'FILE_EXISTS';
				finish(id, { state: 'error', error: describeFailure(file.name, failure, message), isSkipped });
				if (isSkipped) emitTask(skipped, id);
			},
		});
	}

	/** Does the same to one or to all. */
	const forEach = (act: (task: UploadTask, isAll: boolean) => void) => (id?: string) => {
		for (const each of id === undefined ? [...tasks.keys()] : [id]) {
			const task = tasks.get(each);
			if (task) act(task, id === undefined);
		}
		startNext();
	};

	return {
		getTasks: () => {
			snapshot ??= [...tasks.values()];
			return snapshot;
		},
		getSpeed: () => (underWay.size > 0 ? batch.get() : 0),
		subscribe: changes.subscribe,
		onFinished: finished.subscribe,
		onSkipped: skipped.subscribe,
		add: (items, target) => {
			for (const item of items) {
				const id = `upload-${++count}`;
				transportFactories.set(id, () => openTransport(id, item, target));
				tasks.set(id, createTask(id, item.file, target, startSpeed(now())));
				enqueue(id);
			}
			startNext();
		},
		pause: forEach(({ id, state }) => {
			if (state !== 'running') return;
			queue.delete(id);
			underWay.delete(id);
			change(id, { state: 'paused', waitingFor: null });
			void transports.get(id)?.pause();
		}),
		resume: forEach(({ id, state }) => {
			if (state === 'paused') enqueue(id);
		}),
		cancel: forEach(({ id, state }, isAll) => {
			// What has failed is told until somebody has read it.
			if (state === 'success' || state === 'canceled' || (isAll && state === 'error')) return;
			queue.delete(id);
			underWay.delete(id);
			change(id, { state: 'canceled', waitingFor: null, error: null, isSkipped: false });
			dropCanceledLater(id);
			// The bytes at the server expire by themselves if it cannot be told now.
			transports
				.get(id)
				?.cancel()
				.catch(() => undefined);
		}),
		retry: forEach(({ id, state, isSkipped }) => {
			if (state === 'error' && !isSkipped) enqueue(id);
		}),
		resolve: (conflict, only) => {
			for (const id of only === undefined ? [...tasks.keys()] : [only]) {
				if (tasks.get(id)?.isSkipped !== true) continue;
				// The wish is fixed where an upload begins: it begins anew.
				transports.get(id)?.releaseLock();
				transports.delete(id);
				change(id, { conflict, isSkipped: false, sentBytes: 0, uploadId: null });
				enqueue(id);
			}
			startNext();
		},
		resumeAfterSignIn: () => {
			isSignedOut = false;
			for (const { id, waitingFor } of tasks.values()) if (waitingFor === 'sign-in') enqueue(id);
			startNext();
		},
		clearFinished: () => {
			for (const task of [...tasks.values()]) if (!isUnfinished(task)) drop(task.id);
		},
		stopAll: () => {
			for (const transport of transports.values()) void transport.pause();
			isSignedOut = false;
			for (const id of [...tasks.keys()]) drop(id);
		},
	};
}
