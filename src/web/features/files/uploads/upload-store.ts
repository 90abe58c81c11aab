import type { UploadConflict } from '#contract/files/uploads.ts';
import type { FileHandle } from './stored-file-handles.ts';
import type { UploadFailure } from './transfer-policy.ts';
import type { SendBatch } from './upload-batch.ts';
import { createUploadQueue } from './upload-queue.ts';
import { createBatchSpeed, nextSpeed, startSpeed } from './upload-speed.ts';
import { createTask, isUnfinished, type UploadTarget, type UploadTask } from './upload-task.ts';
import type {
	CreateTransport,
	Transport,
	TransportEvents,
	UploadDestination,
	UploadSource,
} from './upload-transport.ts';

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
	sendBatch: SendBatch;
	/** Files up to this size are sent in batches. */
	batchedMaxBytes: number;
	/**
	 * Number of parallel uploads; a batch counts as one. Over HTTP/1.1, browsers open six connections per server; one is
	 * the event stream.
	 */
	concurrency: number;
	/** Calls `notify` after a delay, to combine many changes. */
	schedule: (notify: () => void) => void;
	onSignedOut: () => void;
}

const canceledVisibleMs = 4000;

interface UploadEntry {
	task: UploadTask;
	/** Null after the upload, so that the file can be released. */
	item: UploadItem | null;
	transport: Transport | null;
	/** Of a file that a batch left out, and that is uploaded alone. */
	leftOutAt: UploadDestination | null;
}

export type UploadStore = ReturnType<typeof createUploadStore>;

/** The store is independent of React, so that uploads continue when the screen changes. */
export function createUploadStore(options: UploadStoreOptions) {
	const { createTransport, describeFailure, now } = options;
	const entries = new Map<string, UploadEntry>();
	const queue = createUploadQueue(options);
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
		queue.remove(id);
		change(id, { waitingFor: null, ...changes });
	}

	function removeTask(id: string): void {
		entries.get(id)?.transport?.releaseLock();
		queue.remove(id);
		entries.delete(id);
		notifyListeners();
	}

	function startNext(): void {
		while (!isSignedOut) {
			const wasIdle = queue.isIdle();
			const taken = queue.takeNext().flatMap((id) => entries.get(id) ?? []);
			if (taken.length === 0) return;
			if (wasIdle) batch.start();
			for (const { task } of taken) change(task.id, { waitingFor: null, speed: startSpeed(now()) });
			if (taken.length > 1) startBatch(taken);
			else for (const entry of taken) startAlone(entry);
		}
	}

	function startAlone(entry: UploadEntry): void {
		entry.transport ??= entry.item && createTransport(...partsOf(entry, entry.item));
		void entry.transport?.start();
	}

	function startBatch(taken: readonly UploadEntry[]): void {
		const aborter = new AbortController();
		const abort = async () => aborter.abort();
		// If one of the files is paused or canceled, the request is aborted and the others are uploaded alone.
		const transport = { start: async () => {}, pause: abort, cancel: abort, releaseLock: () => {} };
		const members = taken.flatMap((entry) => {
			if (entry.item === null) return [];
			entry.transport = transport;
			const isCurrent = () => entry.transport === transport;
			const [source, events] = partsOf(entry, entry.item);
			return {
				source,
				events: {
					...events,
					onFailure: (failure: UploadFailure, message: string) => {
						if (!isCurrent()) return;
						entry.transport = null;
						events.onFailure(failure, message);
					},
				},
				onLeftOut: (destination: UploadDestination) => isCurrent() && leaveOut(entry, destination),
			};
		});
		void options.sendBatch(members, aborter.signal);
	}

	/** Queues a file that a batch did not upload, before all others. */
	function leaveOut(entry: UploadEntry, leftOutAt: UploadDestination): void {
		entry.transport = null;
		entry.leftOutAt = leftOutAt;
		const { id, sizeBytes } = entry.task;
		if (!queue.remove(id)) return;
		change(id, { waitingFor: 'turn' });
		queue.addFirst({ id, sizeBytes, isAlone: true });
		startNext();
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
		const entry = entries.get(id);
		if (entry === undefined || isSignedOut) return;
		queue.add({ id, sizeBytes: entry.task.sizeBytes, isAlone: entry.leftOutAt !== null });
	}

	/** Adds sent bytes to the total speed. Omits the first count, which includes the bytes sent before a resume. */
	function countSentBytes(task: UploadTask, sentBytes: number): void {
		batch.addBytes(task.speed.lastBytes === null ? 0 : Math.max(0, sentBytes - task.sentBytes));
	}

	function partsOf(entry: UploadEntry, item: UploadItem): [UploadSource, TransportEvents] {
		const { file, findDestination, findHandle = async () => null } = item;
		const { id, owner, conflict } = entry.task;
		const findTask = () => entries.get(id)?.task;
		const source = {
			file,
			owner,
			conflict,
			findDestination: async () => entry.leftOutAt ?? findDestination(conflict),
			findHandle,
		};
		const events: TransportEvents = {
			onCreated: (upload) => change(id, upload),
			onProgress: (sentBytes) => {
				const task = findTask();
				if (task?.state !== 'running') return;
				countSentBytes(task, sentBytes);
				change(id, { sentBytes, waitingFor: null, speed: nextSpeed(task.speed, sentBytes, now()) });
			},
			onWaiting: () => change(id, { waitingFor: 'line' }),
			onSuccess: () => {
				const { sizeBytes } = entry.task;
				countSentBytes(entry.task, sizeBytes);
				entry.item = null;
				entry.transport = null;
				finish(id, { state: 'success', sentBytes: sizeBytes });
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
		};
		return [source, events];
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
		getSpeed: () => (queue.isIdle() ? 0 : batch.get()),
		subscribe: subscriberOf(changeListeners),
		/** Subscribes to uploaded files, and to files that were skipped because their name is taken. */
		onEnded: subscriberOf(endListeners),
		add: (items: readonly UploadItem[], target: UploadTarget) => {
			for (const item of items) {
				const id = `upload-${++count}`;
				const task = createTask(id, item.file, target, startSpeed(now()));
				entries.set(id, { task, item, transport: null, leftOutAt: null });
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
				entry.leftOutAt = null;
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
