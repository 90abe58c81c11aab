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

/** What the queue needs of the world around it. */
export interface AnnotationQueueOptions {
	store: UnsentStore;
	/** Sends a change. @returns the mark as it is kept, null for a deleted one */
	send: (change: AnnotationChange) => Promise<Annotation | null>;
	/** Whose session this browser has, by the server's word. */
	findUserId: () => Promise<string>;
	/** One at a time in all tabs. */
	runExclusively: <T>(work: () => Promise<T>) => Promise<T>;
	/** The server has said no, for good; any other failure passes by itself. */
	isRejection: (error: unknown) => boolean;
	/** The server has it. */
	onSaved: (change: AnnotationChange, mark: Annotation | null) => void;
	/** The server does not want it. */
	onRejected: (change: AnnotationChange, error: unknown) => void;
	/** It will be tried again. */
	onDelayed: (error: unknown) => void;
}

interface QueuedChange extends PendingChange {
	/** Kept over a reload too: whoever removes it there has done something about it. */
	isStored: boolean;
}

/** Between two tries, in milliseconds. */
const firstRetryDelaysMs = [1000, 3000, 8000];
const retryIntervalMs = 15_000;

/** The server knows another person here. */
export class UserChangedError extends Error {}

/**
 * What one person has done to their marks and the server does not have yet: shown at once, kept over a reload, and sent one
 * after the other when there is a line, wherever in the app they are. Before each is sent the server is asked who is here:
 * nothing that one person marked comes to another.
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

	constructor(world: AnnotationQueueOptions) {
		this.#options = world;
	}

	/** Takes up what this person has left here; what another has queued is no concern of theirs. */
	start(person: string): void {
		if (person === this.#owner) return;
		this.clear();
		this.#owner = person;
		const at = new Date().toISOString();
		this.#set(listAllUnsent(this.#options.store, person).map((change) => ({ change, at, isStored: true })));
		void this.flush();
	}

	/** Nobody is here any more: nothing of what waits is shown or sent. */
	clear(): void {
		clearTimeout(this.#timer);
		this.#owner = null;
		this.#pass = undefined;
		this.#inFlight = undefined;
		this.#failedAttempts = 0;
		this.#set([]);
	}

	/** Queues a change of the person who is here; of one mark only the last change is sent. */
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

	/** What waits, in its order. The same array until that changes. */
	list(): readonly PendingChange[] {
		return this.#changes;
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Sends what waits, now. Resolves when all of it has been, or one must wait. */
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
		// Before anything else `#pass` is set.
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

	/** @returns undefined when another tab has seen to it, or nobody is here any more */
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
		// Changed again meanwhile: the last word is what is sent. And one that fails alone does not keep the others.
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
