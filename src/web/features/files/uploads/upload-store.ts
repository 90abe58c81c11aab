import type { UploadConflict } from '#contract/files/uploads.ts';
import type { FileHandle } from './stored-file-handles.ts';
import { createBatchSpeed, nextSpeed, startSpeed } from './upload-speed.ts';
import { createTask, isUnfinished, type UploadTarget, type UploadTask } from './upload-task.ts';
import type { CreateTransport, Transport, UploadDestination } from './upload-transport.ts';

/** Returns the message for a failed upload. Injected, so that the store does not depend on the language. */
type DescribeUploadFailure = (name: string, failure: { status: number; code: string }, message: string) => string;

interface UploadItem {
	file: File;
	/** Creates the parent folders and returns the destination. */
	findDestination: (conflict: UploadConflict) => Promise<UploadDestination>;
	findHandle?: () => Promise<FileHandle | null>;
}

interface UploadStoreOptions {
	createTransport: CreateTransport;
	describeFailure: DescribeUploadFailure;
	now: () => number;
	/** Number of parallel uploads. Over HTTP/1.1, browsers open six connections per server; one is the event stream. */
	concurrency: number;
	/** Calls `notify` after a delay, to combine many changes. */
	schedule: (notify: () => void) => void;
	onSignedOut: () => void;
}

const canceledVisibleMs = 4000;

interface UploadEntry {
	task: UploadTask;
	open: (() => Transport) | null;
	transport: Transport | null;
}

export type UploadStore = ReturnType<typeof createUploadStore>;

/** The store is independent of React, so that uploads continue when the screen changes. */
export function createUploadStore(options: UploadStoreOptions) {
	const { createTransport, describeFailure, now, concurrency } = options;
	const entries = new Map<string, UploadEntry>();
	const queue = new Set<string>();
	const underWay = new Set<string>();
	const changeListeners = new Set<() => void>();
	const endListeners = new Set<(task: UploadTask) => void>();
	const batch = createBatchSpeed(now);
	let snapshot: readonly UploadTask[] | null = [];
	let isNotifying = false;
	let isSignedOut = false;
	let count = 0;

	function notifyListeners(): void {
		snapshot = null;
		if (isNotifying) return;
		isNotifying = true;
		options.schedule(() => {
			isNotifying = false;
			for (const listener of changeListeners) listener();
		});
	}

	function getTasks(): readonly UploadTask[] {
		snapshot ??= [...entries.values()].map(({ task }) => task);
		return snapshot;
	}

	function change(id: string, changes: Partial<UploadTask>): void {
		const entry = entries.get(id);
		if (entry === undefined) return;
		entry.task = { ...entry.task, ...changes };
		notifyListeners();
	}

	function stopTask(id: string, changes: Partial<UploadTask>): void {
		queue.delete(id);
		underWay.delete(id);
		change(id, { waitingFor: null, ...changes });
	}

	function removeTask(id: string): void {
		entries.get(id)?.transport?.releaseLock();
		for (const collection of [entries, queue, underWay]) collection.delete(id);
		notifyListeners();
	}

	function startNext(): void {
		for (const id of queue) {
			if (isSignedOut || underWay.size >= concurrency) return;
			queue.delete(id);
			underWay.add(id);
			if (underWay.size === 1) batch.start();
			change(id, { waitingFor: null, speed: startSpeed(now()) });
			const entry = entries.get(id);
			if (entry === undefined) continue;
			entry.transport ??= entry.open?.() ?? null;
			void entry.transport?.start();
		}
	}

	function finish(id: string, changes: Partial<UploadTask>): void {
		stopTask(id, changes);
		startNext();
	}

	/** Reports an uploaded or skipped file. */
	function announceEnd(id: string): void {
		const task = entries.get(id)?.task;
		if (task) for (const listener of endListeners) listener(task);
	}

	function enqueue(id: string): void {
		change(id, { state: 'running', waitingFor: isSignedOut ? 'sign-in' : 'turn', error: null });
		if (!isSignedOut) queue.add(id);
	}

	/** Adds sent bytes to the total speed. Omits the first count, which includes the bytes sent before a resume. */
	function countSentBytes(task: UploadTask, sentBytes: number): void {
		batch.addBytes(task.speed.lastBytes === null ? 0 : Math.max(0, sentBytes - task.sentBytes));
	}

	function openTransport(id: string, item: UploadItem, target: UploadTarget): Transport {
		const { file, findDestination, findHandle = async () => null } = item;
		const findTask = () => entries.get(id)?.task;
		const conflict = findTask()?.conflict ?? 'skip';
		const source = {
			file,
			owner: target.owner,
			conflict,
			findDestination: () => findDestination(conflict),
			findHandle,
		};
		return createTransport(source, {
			onCreated: (upload) => change(id, upload),
			onProgress: (sentBytes) => {
				const task = findTask();
				if (task?.state !== 'running') return;
				countSentBytes(task, sentBytes);
				change(id, { sentBytes, waitingFor: null, speed: nextSpeed(task.speed, sentBytes, now()) });
			},
			onWaiting: () => change(id, { waitingFor: 'line' }),
			onSuccess: () => {
				const entry = entries.get(id);
				if (entry !== undefined) {
					countSentBytes(entry.task, file.size);
					entry.open = null;
					entry.transport = null;
				}
				finish(id, { state: 'success', sentBytes: file.size });
				announceEnd(id);
			},
			onFailure: (failure, message) => {
				if (failure.status === 401) {
					isSignedOut = true;
					finish(id, { state: 'running', waitingFor: 'sign-in' });
					options.onSignedOut();
					return;
				}
				const isSkipped = failure.code === 'FILE_EXISTS';
				finish(id, { state: 'error', error: describeFailure(file.name, failure, message), isSkipped });
				if (isSkipped) announceEnd(id);
			},
		});
	}

	/** Returns a function that calls `act` for one upload, or for all uploads if no id is passed. */
	const forOneOrAll = (act: (entry: UploadEntry, isAll: boolean) => void) => (only?: string) => {
		for (const id of only === undefined ? [...entries.keys()] : [only]) {
			const entry = entries.get(id);
			if (entry) act(entry, only === undefined);
		}
		startNext();
	};

	return {
		/** Oldest task first. Returns a new array after every change. */
		getTasks,
		getSpeed: () => (underWay.size > 0 ? batch.get() : 0),
		subscribe: subscriberOf(changeListeners),
		/** Subscribes to uploaded files, and to files that were skipped because their name is taken. */
		onEnded: subscriberOf(endListeners),
		add: (items: readonly UploadItem[], target: UploadTarget) => {
			for (const item of items) {
				const id = `upload-${++count}`;
				const task = createTask(id, item.file, target, startSpeed(now()));
				entries.set(id, { task, open: () => openTransport(id, item, target), transport: null });
				enqueue(id);
			}
			startNext();
		},
		pause: forOneOrAll(({ task: { id, state }, transport }) => {
			if (state !== 'running') return;
			stopTask(id, { state: 'paused' });
			void transport?.pause();
		}),
		resume: forOneOrAll(({ task: { id, state } }) => {
			if (state === 'paused') enqueue(id);
		}),
		cancel: forOneOrAll(({ task: { id, state }, transport }, isAll) => {
			// Canceling all uploads keeps failed uploads, which stay listed until the user removes them.
			if (state === 'success' || state === 'canceled' || (isAll && state === 'error')) return;
			stopTask(id, { state: 'canceled', error: null, isSkipped: false });
			// The canceled file stays listed for a short time.
			setTimeout(() => entries.get(id)?.task.state === 'canceled' && removeTask(id), canceledVisibleMs);
			// If the request fails, the server deletes the stored bytes when they expire.
			transport?.cancel().catch(() => undefined);
		}),
		/** Retries a failed upload. Continues after the bytes that the server has. */
		retry: forOneOrAll(({ task: { id, state, isSkipped } }) => {
			if (state === 'error' && !isSkipped) enqueue(id);
		}),
		/** Uploads skipped files with a new name or as a replacement. */
		resolve: (conflict: Exclude<UploadConflict, 'skip'>, only?: string) =>
			forOneOrAll((entry) => {
				const { id, isSkipped } = entry.task;
				if (!isSkipped) return;
				// The conflict choice of a created upload cannot change, so a new upload is created.
				entry.transport?.releaseLock();
				entry.transport = null;
				change(id, { conflict, isSkipped: false, sentBytes: 0, uploadId: null });
				enqueue(id);
			})(only),
		resumeAfterSignIn: () => {
			isSignedOut = false;
			for (const { id, waitingFor } of getTasks()) if (waitingFor === 'sign-in') enqueue(id);
			startNext();
		},
		clearFinished: () => {
			for (const task of getTasks()) if (!isUnfinished(task)) removeTask(task.id);
		},
		/** Stops all uploads after a sign-out, without cancel requests, because the server would refuse them. */
		stopAll: () => {
			for (const { transport } of entries.values()) void transport?.pause();
			isSignedOut = false;
			for (const id of [...entries.keys()]) removeTask(id);
		},
	};
}

function subscriberOf<Listener>(listeners: Set<Listener>): (listener: Listener) => () => void {
	return (listener) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
}
