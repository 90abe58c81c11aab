import type { Annotation } from '#contract/book/reading.ts';
import { createSharedValue } from '#web/platform/events/emitter.ts';
import type { AnnotationChange, PendingChange } from './annotations.ts';
import { annotationIdOf, deleteUnsent, isUnsent, listAllUnsent, storeUnsent } from './unsent-annotations.ts';

interface AnnotationQueueOptions {
	/** Sends a change. @returns the stored annotation, or null after a deletion */
	send: (change: AnnotationChange) => Promise<Annotation | null>;
	findUserId: () => Promise<string>;
	/** Runs `work` in at most one tab at a time. */
	runExclusively: <T>(work: () => Promise<T>) => Promise<T>;
	/** Whether a retry is useless, because the server has rejected the change. */
	isRejection: (error: unknown) => boolean;
	onSaved: (change: AnnotationChange, mark: Annotation | null) => void;
	onRejected: (change: AnnotationChange, error: unknown) => void;
	onDelayed: (error: unknown) => void;
}

interface QueuedChange extends PendingChange {
	/** Whether the change was written to localStorage. If it is no longer there, another tab has sent it. */
	isStored: boolean;
}

const firstRetryDelaysMs = [1000, 3000, 8000];
const retryIntervalMs = 15_000;

export class UserChangedError extends Error {}

/**
 * The annotation changes of a user that the server does not have yet. They survive a reload, and are sent one after
 * another on any screen. Before each request the queue checks who is signed in, so that no annotation is stored for
 * another user.
 */
export class AnnotationQueue {
	#owner: string | null = null;
	readonly #changes = createSharedValue<readonly QueuedChange[]>([]);
	#inFlight: QueuedChange | undefined;
	#pass: Promise<void> | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#failedAttempts = 0;
	readonly #options: AnnotationQueueOptions;

	constructor(options: AnnotationQueueOptions) {
		this.#options = options;
	}

	start(userId: string): void {
		if (userId === this.#owner) return;
		this.clear();
		this.#owner = userId;
		const at = new Date().toISOString();
		this.#changes.set(listAllUnsent(userId).map((change) => ({ change, at, isStored: true })));
		void this.flush();
	}

	/** Stops showing and sending the pending changes. Must be called on sign-out. */
	clear(): void {
		clearTimeout(this.#timer);
		this.#owner = null;
		this.#pass = undefined;
		this.#inFlight = undefined;
		this.#failedAttempts = 0;
		this.#changes.set([]);
	}

	/** Queues a change of the current user. Replaces queued changes of the same annotation that are not being sent. */
	add(change: AnnotationChange): void {
		if (this.#owner === null) return;
		storeUnsent(this.#owner, change);
		const isStored = isUnsent(this.#owner, change);
		const others = this.#changes
			.get()
			.filter((queued) => queued === this.#inFlight || annotationIdOf(queued.change) !== annotationIdOf(change));
		this.#changes.set([...others, { change, at: new Date().toISOString(), isStored }]);
		void this.flush();
	}

	list(): readonly PendingChange[] {
		return this.#changes.get();
	}

	useChanges(): readonly PendingChange[] {
		return this.#changes.useValue();
	}

	/** Sends the pending changes. Resolves when no change is pending, or after the first temporary failure. */
	flush(): Promise<void> {
		clearTimeout(this.#timer);
		if (this.#pass !== undefined) return this.#pass;
		const pass: Promise<void> = this.#sendAll(() => this.#pass === pass).finally(() => {
			if (this.#pass === pass) this.#pass = undefined;
		});
		this.#pass = pass;
		return pass;
	}

	async #sendAll(isCurrent: () => boolean): Promise<void> {
		// Waits until `flush` has set `#pass`, which `isCurrent` reads.
		await Promise.resolve();
		for (let [first] = this.#changes.get(); first !== undefined && isCurrent(); [first] = this.#changes.get()) {
			const userId = this.#owner;
			if (userId === null) return;
			this.#inFlight = first;
			const { change } = first;
			try {
				const mark = await this.#options.runExclusively(() => this.#sendOne(userId, first, isCurrent));
				if (!isCurrent()) return;
				if (mark !== undefined) this.#options.onSaved(change, mark);
			} catch (error) {
				if (!isCurrent()) return;
				if (!this.#options.isRejection(error)) return this.#scheduleRetry(first, error);
				this.#options.onRejected(change, error);
			}
			this.#failedAttempts = 0;
			this.#inFlight = undefined;
			deleteUnsent(userId, change);
			this.#changes.set(this.#changes.get().filter((queued) => queued !== first));
		}
	}

	/** Returns undefined if another tab has sent the change, or if the user has signed out. */
	async #sendOne(
		userId: string,
		{ change, isStored }: QueuedChange,
		isCurrent: () => boolean,
	): Promise<Annotation | null | undefined> {
		if ((await this.#options.findUserId()) !== userId) throw new UserChangedError('Another user is signed in.');
		if (!isCurrent() || (isStored && !isUnsent(userId, change))) return undefined;
		return this.#options.send(change);
	}

	#scheduleRetry(entry: QueuedChange, error: unknown): void {
		this.#inFlight = undefined;
		// The failed change moves to the end, so that it does not block other changes. If the queue already has a newer
		// change of the same annotation, the failed change is dropped.
		const others = this.#changes.get().filter((queued) => queued !== entry);
		const isReplaced = others.some(({ change }) => annotationIdOf(change) === annotationIdOf(entry.change));
		this.#changes.set(isReplaced ? others : [...others, entry]);
		this.#options.onDelayed(error);
		this.#timer = setTimeout(() => void this.flush(), firstRetryDelaysMs[this.#failedAttempts] ?? retryIntervalMs);
		this.#failedAttempts += 1;
	}
}
