import type { Node } from '#contract/files/files.ts';

/** One page of a listing as the server gives it: folders first, then files. */
export interface ListingPage {
	items: Node[];
	nextCursor: string | null;
}

interface Loaded {
	folders: Node[];
	files: Node[];
	nextCursor: string | null;
}

/**
 * The rows of one listing, as far as they are loaded. Keyset pages come one after another, as far as they are wanted; a
 * page is added at the cost of its own rows, however many are there already. Changed lists are read anew behind what
 * is shown and take its place when they reach as far as one looks.
 */
export class ListingRows {
	readonly #fetch: (cursor: string) => Promise<ListingPage>;
	readonly #listeners = new Set<() => void>();
	#loaded: Loaded;
	#renewal: ListingPage | null = null;
	#wanted = 0;
	#version = 0;
	#work: Promise<void> | null = null;
	#failure: unknown;

	constructor(first: ListingPage, fetch: (cursor: string) => Promise<ListingPage>) {
		this.#fetch = fetch;
		this.#loaded = loadedOf(first);
	}

	get folders(): readonly Node[] {
		return this.#loaded.folders;
	}

	get files(): readonly Node[] {
		return this.#loaded.files;
	}

	get hasMore(): boolean {
		return this.#loaded.nextCursor !== null;
	}

	/** What the last page failed with; undefined while all is well. */
	get failure(): unknown {
		return this.#failure;
	}

	/** Another number for every change: the arrays themselves grow in place. */
	readonly version = (): number => this.#version;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	/** Loads until so many entries are there, in the background. Fewer than before stops the way to more. */
	want(count: number): void {
		this.#wanted = count;
		if (this.#failure === undefined) void this.#run();
	}

	/** Loads to the end. @throws whatever a page failed with */
	async loadAll(): Promise<void> {
		while (this.hasMore) {
			this.#wanted = Number.POSITIVE_INFINITY;
			this.#failure = undefined;
			await this.#run();
			if (this.#failure !== undefined) throw this.#failure;
		}
	}

	/** Tries again after a failure. */
	retry(): void {
		this.#failure = undefined;
		this.#tell();
		void this.#run();
	}

	/** The list has changed: `first` is its first page now. */
	renew(first: ListingPage): void {
		this.#renewal = first;
		this.#failure = undefined;
		void this.#run();
	}

	#run(): Promise<void> {
		this.#work ??= this.#load().finally(() => {
			this.#work = null;
		});
		return this.#work;
	}

	async #load(): Promise<void> {
		try {
			for (;;) {
				if (this.#renewal !== null) await this.#takeRenewal(this.#renewal);
				else if (this.#loaded.nextCursor !== null && countOf(this.#loaded) < this.#wanted) {
					const into = this.#loaded;
					append(into, await this.#fetch(this.#loaded.nextCursor));
					this.#tell();
				} else return;
			}
		} catch (error) {
			this.#failure = error;
			this.#tell();
		}
	}

	async #takeRenewal(first: ListingPage): Promise<void> {
		this.#renewal = null;
		const fresh = loadedOf(first);
		const isFarEnough = () => countOf(fresh) >= Math.min(this.#wanted, countOf(this.#loaded));
		while (fresh.nextCursor !== null && !isFarEnough()) append(fresh, await this.#fetch(fresh.nextCursor));
		this.#loaded = fresh;
		this.#tell();
	}

	#tell(): void {
		this.#version += 1;
		for (const listener of this.#listeners) listener();
	}
}

function loadedOf(first: ListingPage): Loaded {
	const loaded: Loaded = { folders: [], files: [], nextCursor: null };
	append(loaded, first);
	return loaded;
}

function append(loaded: Loaded, page: ListingPage): void {
	for (const item of page.items) (item.kind === 'folder' ? loaded.folders : loaded.files).push(item);
	loaded.nextCursor = page.nextCursor;
}

function countOf({ folders, files }: Loaded): number {
	return folders.length + files.length;
}
