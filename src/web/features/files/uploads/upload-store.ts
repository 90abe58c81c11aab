import type { UploadConflict } from '#contract/files/uploads.ts';
import { createChangeNotifier, createEmitter, type Emitter } from './emitter.ts';
import type { FileHandle } from './stored-file-handles.ts';
import { createBatchSpeed, nextSpeed, startSpeed } from './upload-speed.ts';
import { createTask, isUnfinished, type UploadTarget, type UploadTask } from './upload-task.ts';
import type { CreateTransport, Transport, UploadDestination } from './upload-transport.ts';

/** Describes a failed upload for the user; injected so that the store is independent of the language. */
type DescribeUploadFailure = (name: string, failure: { status: number; code: string }, message: string) => string;

/** A file to upload. */
interface UploadItem {
	file: File;
	/** Creates the parent folders and returns the destination; without it, the file goes into the target folder. */
	findDestination?: (conflict: UploadConflict) => Promise<UploadDestination>;
	/** Finds the handle that lets the upload continue after its tab was closed, where the browser has one. */
	findHandle?: () => Promise<FileHandle | null>;
}

/** All uploads of this page. The store is outside React, so uploads continue when the screen changes. */
export interface UploadStore {
	/** The tasks, oldest first; a new array after every change. */
	getTasks: () => readonly UploadTask[];
	/** Bytes per second of all uploads together. */
	getSpeed: () => number;
	subscribe: (listener: () => void) => () => void;
	/** Subscribes to files that have been uploaded completely. */
	onFinished: (listener: (task: UploadTask) => void) => () => void;
	/** Subscribes to files that were skipped because their name is taken. */
	onSkipped: (listener: (task: UploadTask) => void) => () => void;
	add: (items: readonly UploadItem[], target: UploadTarget) => void;
	/** Pauses one upload, or all running ones without an id. */
	pause: (id?: string) => void;
	resume: (id?: string) => void;
	cancel: (id?: string) => void;
	/** Retries a failed upload from the bytes that the server already has. */
	retry: (id?: string) => void;
	/** Uploads skipped files after all, renamed or as a replacement. One file, or all without an id. */
	resolve: (conflict: Exclude<UploadConflict, 'skip'>, id?: string) => void;
	/** Continues the uploads that wait for a sign-in. */
	resumeAfterSignIn: () => void;
	/** Removes finished tasks from the list. */
	clearFinished: () => void;
	/** Stops all uploads without telling the server, because the user has signed out. */
	stopAll: () => void;
}

interface UploadStoreOptions {
	createTransport: CreateTransport;
	describeFailure: DescribeUploadFailure;
	now: () => number;
	/**
	 * Number of parallel uploads. Over HTTP/1.1 a browser has six connections per server, and one is the event stream.
	 */
	concurrency: number;
	/** Calls back with a delay, so that many changes cause few notifications. */
	schedule: (tell: () => void) => void;
	/** Called when the session has ended and a sign-in is needed. */
	onSignedOut: () => void;
}

const canceledVisibleMs = 4000;

/** Creates a store; the app has one, and tests create their own. */
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

	/** Removes a canceled file from the list after it has been shown struck out for a moment. */
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

	/** Counts bytes sent in this run; the first count includes bytes that the server already had. */
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

	/** Applies an action to one task or to all. */
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
			// Failures stay listed until the user dismisses them.
			if (state === 'success' || state === 'canceled' || (isAll && state === 'error')) return;
			queue.delete(id);
			underWay.delete(id);
			change(id, { state: 'canceled', waitingFor: null, error: null, isSkipped: false });
			dropCanceledLater(id);
			// If the server cannot be told now, the stored bytes expire.
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
				// The conflict choice is fixed when an upload starts, so the upload has to start again.
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
