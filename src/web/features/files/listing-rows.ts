import type { Node } from '#contract/files/files.ts';

/** One page of a listing as the server gives it: folders first, then files. */
export interface ListingPage {
	items: Node[];
	nextCursor: string | null;
}

/** What a call is to read: behind one place of the order, up to another. */
export interface ListingRange {
	cursor?: string | undefined;
	until?: string | undefined;
}

/** A run of rows that one call gave. It ends where the next begins. */
interface Stretch {
	/** Cursor of the place that it begins behind; undefined at the start of the list. */
	after: string | undefined;
	folders: number;
	files: number;
	/** The list has changed since, somewhere. */
	isStale: boolean;
}

/**
 * The rows of one listing, as far as they are loaded. Keyset pages come one after another, as far as they are wanted; a
 * page is added at the cost of its own rows, however many are there already. When the list has changed, only the
 * stretches that one looks at are read anew, each between the two places that bound it; the others when one comes to them.
 */
export class ListingRows {
	readonly #fetch: (range: ListingRange) => Promise<ListingPage>;
	readonly #listeners = new Set<() => void>();
	readonly #folders: Node[] = [];
	readonly #files: Node[] = [];
	#stretches: Stretch[] = [];
	#nextCursor: string | null = null;
	#renewal: ListingPage | null = null;
	#wanted = 0;
	/** What one looks at, of each kind. */
	readonly #windows = { folders: { start: 0, end: 0 }, files: { start: 0, end: 0 } };
	#isAllLookedAt = false;
	#version = 0;
	#work: Promise<void> | null = null;
	#failure: unknown;

	constructor(first: ListingPage, fetch: (range: ListingRange) => Promise<ListingPage>) {
		this.#fetch = fetch;
		this.#replaceAll(first);
	}

	get folders(): readonly Node[] {
		return this.#folders;
	}

	get files(): readonly Node[] {
		return this.#files;
	}

	get hasMore(): boolean {
		return this.#nextCursor !== null;
	}

	/** What the last page failed with; undefined while all is well. */
	get failure(): unknown {
		return this.#failure;
	}

	/** Another number for every change: the arrays themselves change in place. */
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

	/** One looks at these now, of `end` the first not: they are kept as they are on the server. */
	look(kind: 'folders' | 'files', start: number, end: number): void {
		this.#windows[kind] = { start, end };
		if (this.#failure === undefined) void this.#run();
	}

	/** Loads to the end, and anew what may have changed. @throws whatever a page failed with */
	async loadAll(): Promise<void> {
		this.#isAllLookedAt = true;
		try {
			while (this.hasMore || this.#findStale() >= 0) {
				this.#wanted = Number.POSITIVE_INFINITY;
				this.#failure = undefined;
				await this.#run();
				if (this.#failure !== undefined) throw this.#failure;
			}
		} finally {
			this.#isAllLookedAt = false;
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
		this.#work ??= this.#load();
		return this.#work;
	}

	async #load(): Promise<void> {
		try {
			// The work is held before its first step; what is asked for after its last begins another.
			await null;
			for (;;) {
				const stale = this.#renewal === null ? this.#findStale() : -1;
				if (this.#renewal !== null) this.#takeRenewal(this.#renewal);
				else if (stale >= 0) await this.#readAgain(stale);
				else if (this.#nextCursor !== null && this.#count < this.#wanted) await this.#readOn(this.#nextCursor);
				else return;
				this.#tell();
			}
		} catch (error) {
			this.#failure = error;
			this.#tell();
		} finally {
			this.#work = null;
		}
	}

	get #count(): number {
		return this.#folders.length + this.#files.length;
	}

	async #readOn(cursor: string): Promise<void> {
		const page = await this.#fetch({ cursor });
		const stretch = { after: cursor, folders: 0, files: 0, isStale: false };
		this.#stretches.push(stretch);
		for (const item of page.items) this.#add(stretch, item);
		this.#nextCursor = page.nextCursor;
	}

	#add(stretch: Stretch, item: Node): void {
		const kind = item.kind === 'folder' ? 'folders' : 'files';
		stretch[kind] += 1;
		(kind === 'folders' ? this.#folders : this.#files).push(item);
	}

	#replaceAll(first: ListingPage): void {
		const stretch = { after: undefined, folders: 0, files: 0, isStale: false };
		this.#folders.length = 0;
		this.#files.length = 0;
		this.#stretches = [stretch];
		for (const item of first.items) this.#add(stretch, item);
		this.#nextCursor = first.nextCursor;
	}

	#takeRenewal(first: ListingPage): void {
		this.#renewal = null;
		if (first.nextCursor === null || this.#stretches.length === 1) {
			this.#replaceAll(first);
			return;
		}
		for (const stretch of this.#stretches) stretch.isStale = true;
		// A first page that still ends where it did is that stretch already.
		if (first.nextCursor === this.#stretches[1]?.after) this.#put(0, [{ after: undefined, items: first.items }]);
	}

	/** The place of a stretch that has to be read anew because one looks at it; -1 for none. */
	#findStale(): number {
		const { folders, files } = this.#windows;
		let [folder, file] = [0, 0];
		return this.#stretches.findIndex((stretch) => {
			const isSeen =
				this.#isAllLookedAt ||
				(folder < folders.end && folder + stretch.folders > folders.start) ||
				(file < files.end && file + stretch.files > files.start);
			folder += stretch.folders;
			file += stretch.files;
			return stretch.isStale && isSeen;
		});
	}

	async #readAgain(at: number): Promise<void> {
		const until = this.#stretches[at + 1]?.after ?? this.#nextCursor ?? undefined;
		const pages: Array<{ after: string | undefined; items: Node[] }> = [];
		let cursor: string | null | undefined = this.#stretches[at]?.after;
		do {
			const page: ListingPage = await this.#fetch({ cursor, until });
			pages.push({ after: cursor, items: page.items });
			cursor = page.nextCursor;
		} while (cursor !== null && until !== undefined);
		if (until === undefined) this.#nextCursor = cursor;
		this.#put(at, pages);
	}

	/** In place of one stretch; rows that are gone leave their room to the stretch behind. */
	#put(at: number, pages: ReadonlyArray<{ after: string | undefined; items: Node[] }>): void {
		const before = this.#stretches.slice(0, at);
		const old = this.#stretches[at];
		const next = this.#stretches[at + 1];
		const items = pages.flatMap((page) => page.items);
		const fresh = pages.map(({ after, items: own }) => {
			const folders = own.filter(({ kind }) => kind === 'folder').length;
			return { after, folders, files: own.length - folders, isStale: false };
		});
		for (const kind of ['folders', 'files'] as const) {
			const from = before.reduce((sum, stretch) => sum + stretch[kind], 0);
			const rows = items.filter((item) => (item.kind === 'folder') === (kind === 'folders'));
			(kind === 'folders' ? this.#folders : this.#files).splice(from, old?.[kind] ?? 0, ...rows);
		}
		if (items.length === 0 && next !== undefined) {
			next.after = old?.after;
			this.#stretches.splice(at, 1);
		} else this.#stretches.splice(at, 1, ...fresh);
	}

	#tell(): void {
		this.#version += 1;
		for (const listener of this.#listeners) listener();
	}
}
