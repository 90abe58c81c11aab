import type { ReadingMark } from '#contract/reader/reading.ts';
import type { MarkChange, PendingChange } from './mark-changes.ts';
import { forgetUnsent, idOf, isUnsent, keepUnsent, listAllUnsent, type UnsentStore } from './unsent-marks.ts';

/** What the queue needs of the world around it. */
export interface QueueWorld {
	store: UnsentStore;
	/** Sends a change. @returns the mark as it is kept, null for a deleted one */
	send: (change: MarkChange) => Promise<ReadingMark | null>;
	/** Whose session this browser has, by the server's word. */
	findPerson: () => Promise<string>;
	/** One at a time in all tabs. */
	alone: <T>(work: () => Promise<T>) => Promise<T>;
	/** The server has said no, for good; any other failure passes by itself. */
	isRefusal: (error: unknown) => boolean;
	/** The server has it. */
	onKept: (change: MarkChange, mark: ReadingMark | null) => void;
	/** The server does not want it. */
	onRefused: (change: MarkChange, error: unknown) => void;
	/** It will be tried again. */
	onDelayed: (error: unknown) => void;
}

interface Entry extends PendingChange {
	/** Kept over a reload too: whoever removes it there has done something about it. */
	isStored: boolean;
}

/** Between two tries, in milliseconds. */
const triesAfterMs = [1000, 3000, 8000];
const triesEveryMs = 15_000;

/** The server knows another person here. */
export class StrangerError extends Error {}

/**
 * What one person has done to their marks and the server does not have yet: shown at once, kept over a reload, and sent one
 * after the other when there is a line, wherever in the app they are. Before each is sent the server is asked who is here:
 * nothing that one person marked comes to another.
 */
export class MarkQueue {
	readonly #world: QueueWorld;
	#person: string | null = null;
	#entries: readonly Entry[] = [];
	#sent: Entry | undefined;
	#pass: Promise<void> | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#tries = 0;
	readonly #listeners = new Set<() => void>();

	constructor(world: QueueWorld) {
		this.#world = world;
	}

	/** Takes up what this person has left here; what another has queued is no concern of theirs. */
	begin(person: string): void {
		if (person === this.#person) return;
		this.clear();
		this.#person = person;
		const at = new Date().toISOString();
		this.#set(listAllUnsent(this.#world.store, person).map((change) => ({ change, at, isStored: true })));
		void this.flush();
	}

	/** Nobody is here any more: nothing of what waits is shown or sent. */
	clear(): void {
		clearTimeout(this.#timer);
		this.#person = null;
		this.#pass = undefined;
		this.#sent = undefined;
		this.#tries = 0;
		this.#set([]);
	}

	/** Queues a change of the person who is here; of one mark only the last change is sent. */
	add(change: MarkChange): void {
		if (this.#person === null) return;
		keepUnsent(this.#world.store, this.#person, change);
		const isStored = isUnsent(this.#world.store, this.#person, change);
		const others = this.#entries.filter((each) => each === this.#sent || idOf(each.change) !== idOf(change));
		this.#set([...others, { change, at: new Date().toISOString(), isStored }]);
		void this.flush();
	}

	/** What waits, in its order. The same array until that changes. */
	list(): readonly PendingChange[] {
		return this.#entries;
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
		for (let [first] = this.#entries; first !== undefined && isCurrent(); [first] = this.#entries) {
			const person = this.#person;
			if (person === null) return;
			this.#sent = first;
			const { change } = first;
			try {
				const mark = await this.#world.alone(() => this.#sendOne(person, first, isCurrent));
				if (!isCurrent()) return;
				if (mark !== undefined) this.#world.onKept(change, mark);
			} catch (error) {
				if (!isCurrent()) return;
				if (!this.#world.isRefusal(error)) return this.#wait(first, error);
				this.#world.onRefused(change, error);
			}
			this.#tries = 0;
			this.#sent = undefined;
			forgetUnsent(this.#world.store, person, change);
			this.#set(this.#entries.filter((each) => each !== first));
		}
	}

	/** @returns undefined when another tab has seen to it, or nobody is here any more */
	async #sendOne(
		person: string,
		{ change, isStored }: Entry,
		isCurrent: () => boolean,
	): Promise<ReadingMark | null | undefined> {
		if ((await this.#world.findPerson()) !== person) throw new StrangerError('Another person is here.');
		if (!isCurrent() || (isStored && !isUnsent(this.#world.store, person, change))) return undefined;
		return this.#world.send(change);
	}

	#wait(entry: Entry, error: unknown): void {
		this.#sent = undefined;
		// Changed again meanwhile: the last word is what is sent. And one that fails alone does not keep the others.
		const others = this.#entries.filter((each) => each !== entry);
		const isOver = others.some(({ change }) => idOf(change) === idOf(entry.change));
		this.#set(isOver ? others : [...others, entry]);
		this.#world.onDelayed(error);
		this.#timer = setTimeout(() => void this.flush(), triesAfterMs[this.#tries] ?? triesEveryMs);
		this.#tries += 1;
	}

	#set(entries: readonly Entry[]): void {
		this.#entries = entries;
		for (const listener of this.#listeners) listener();
	}
}
