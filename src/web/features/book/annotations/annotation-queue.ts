import type { Annotation } from '#contract/book/reading.ts';
import type { AnnotationChange, PendingChange } from './annotations.ts';
import {
	annotationIdOf,
	deleteUnsent,
	isUnsent,
	listAllUnsent,
	storeUnsent,
	type UnsentStore,
} from './unsent-annotations.ts';

interface AnnotationQueueOptions {
	store: UnsentStore;
	/** Sends a change. @returns the annotation as stored, null for a deleted one */
	send: (change: AnnotationChange) => Promise<Annotation | null>;
	findUserId: () => Promise<string>;
	/** Runs `work` in one tab at a time. */
	runExclusively: <T>(work: () => Promise<T>) => Promise<T>;
	/** Whether the server has rejected a change for good; other failures are temporary. */
	isRejection: (error: unknown) => boolean;
	onSaved: (change: AnnotationChange, mark: Annotation | null) => void;
	onRejected: (change: AnnotationChange, error: unknown) => void;
	onDelayed: (error: unknown) => void;
}

interface QueuedChange extends PendingChange {
	/** Whether the change is in the store and so survives a reload; it is deleted from there once processed. */
	isStored: boolean;
}

/** Delays between attempts, in milliseconds. */
const firstRetryDelaysMs = [1000, 3000, 8000];
const retryIntervalMs = 15_000;

/** The session belongs to another user now. */
export class UserChangedError extends Error {}

/**
 * Changes of a user's annotations that the server does not have yet: shown at once, kept over a reload, and sent one
 * after the other when there is a connection, on any screen. Before each is sent, the session's user is checked: one
 * user's annotations are never stored for another.
 */
export class AnnotationQueue {
	readonly #options: AnnotationQueueOptions;
	#owner: string | null = null;
	#changes: readonly QueuedChange[] = [];
	#inFlight: QueuedChange | undefined;
	#pass: Promise<void> | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#failedAttempts = 0;
	readonly #listeners = new Set<() => void>();

	constructor(options: AnnotationQueueOptions) {
		this.#options = options;
	}

	/** Loads the pending changes of a user; those of other users stay untouched. */
	start(person: string): void {
		if (person === this.#owner) return;
		this.clear();
		this.#owner = person;
		const at = new Date().toISOString();
		this.#set(listAllUnsent(this.#options.store, person).map((change) => ({ change, at, isStored: true })));
		void this.flush();
	}

	/** Signed out: pending changes are neither shown nor sent. */
	clear(): void {
		clearTimeout(this.#timer);
		this.#owner = null;
		this.#pass = undefined;
		this.#inFlight = undefined;
		this.#failedAttempts = 0;
		this.#set([]);
	}

	/** Queues a change of the current user; only the last change of an annotation is sent. */
	add(change: AnnotationChange): void {
		if (this.#owner === null) return;
		storeUnsent(this.#options.store, this.#owner, change);
		const isStored = isUnsent(this.#options.store, this.#owner, change);
		const others = this.#changes.filter(
			(each) => each === this.#inFlight || annotationIdOf(each.change) !== annotationIdOf(change),
		);
		this.#set([...others, { change, at: new Date().toISOString(), isStored }]);
		void this.flush();
	}

	/** The pending changes in order. The array keeps its identity until they change. */
	list(): readonly PendingChange[] {
		return this.#changes;
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Sends the pending changes now. Resolves when all are sent, or one has to be retried later. */
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
		// Lets `flush` set `#pass` before the first step.
		await Promise.resolve();
		for (let [first] = this.#changes; first !== undefined && isCurrent(); [first] = this.#changes) {
			const person = this.#owner;
			if (person === null) return;
			this.#inFlight = first;
			const { change } = first;
			try {
				const mark = await this.#options.runExclusively(() => this.#sendOne(person, first, isCurrent));
				if (!isCurrent()) return;
				if (mark !== undefined) this.#options.onSaved(change, mark);
			} catch (error) {
				if (!isCurrent()) return;
				if (!this.#options.isRejection(error)) return this.#scheduleRetry(first, error);
				this.#options.onRejected(change, error);
			}
			this.#failedAttempts = 0;
			this.#inFlight = undefined;
			deleteUnsent(this.#options.store, person, change);
			this.#set(this.#changes.filter((each) => each !== first));
		}
	}

	/** Sends one change. @returns undefined when another tab has sent it, or the user has signed out */
	async #sendOne(
		person: string,
		{ change, isStored }: QueuedChange,
		isCurrent: () => boolean,
	): Promise<Annotation | null | undefined> {
		if ((await this.#options.findUserId()) !== person) throw new UserChangedError('Another person is here.');
		if (!isCurrent() || (isStored && !isUnsent(this.#options.store, person, change))) return undefined;
		return this.#options.send(change);
	}

	#scheduleRetry(entry: QueuedChange, error: unknown): void {
		this.#inFlight = undefined;
		// If the annotation was changed again meanwhile, only the last change is kept. A failed change does not block the
		// others.
		const others = this.#changes.filter((each) => each !== entry);
		const isOver = others.some(({ change }) => annotationIdOf(change) === annotationIdOf(entry.change));
		this.#set(isOver ? others : [...others, entry]);
		this.#options.onDelayed(error);
		this.#timer = setTimeout(() => void this.flush(), firstRetryDelaysMs[this.#failedAttempts] ?? retryIntervalMs);
		this.#failedAttempts += 1;
	}

	#set(entries: readonly QueuedChange[]): void {
		this.#changes = entries;
		for (const listener of this.#listeners) listener();
	}
}
