import type { Node } from '#contract/files/files.ts';

/** One page of a listing as the server returns it: folders first, then files. */
export interface ListingPage {
	items: Node[];
	nextCursor: string | null;
}

/** The part of the list that a call reads: after one cursor, up to another. */
export interface ListingRange {
	cursor?: string | undefined;
	until?: string | undefined;
}

/** A run of rows returned by one call. It ends where the next segment begins. */
interface RowSegment {
	/** Cursor after which the segment begins; undefined at the start of the list. */
	after: string | undefined;
	folders: number;
	files: number;
	/** The list may have changed since this segment was loaded. */
	isStale: boolean;
}

/**
 * The loaded rows of one listing. Keyset pages are loaded one after another, as far as they are needed; appending a
 * page costs only its own rows. When the list has changed, only the visible segments are reloaded, each between its two
 * boundary cursors; the others are reloaded when they become visible.
 */
export class ListingRows {
	readonly #fetch: (range: ListingRange) => Promise<ListingPage>;
	readonly #listeners = new Set<() => void>();
	readonly #folders: Node[] = [];
	readonly #files: Node[] = [];
	#segments: RowSegment[] = [];
	#nextCursor: string | null = null;
	#pendingRefresh: ListingPage | null = null;
	#targetCount = 0;
	/** The visible index range of each kind. */
	readonly #visibleRanges = { folders: { start: 0, end: 0 }, files: { start: 0, end: 0 } };
	#isAllVisible = false;
	#version = 0;
	#running: Promise<void> | null = null;
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

	/** The error of the last page; undefined if it succeeded. */
	get failure(): unknown {
		return this.#failure;
	}

	/** A number that changes with every change, because the arrays are changed in place. */
	readonly version = (): number => this.#version;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	/** Loads in the background until `count` rows are loaded. A lower count than before stops loading further rows. */
	loadUntil(count: number): void {
		this.#targetCount = count;
		if (this.#failure === undefined) void this.#run();
	}

	/** Sets the visible range; `end` is exclusive. Visible rows are kept up to date with the server. */
	setVisibleRange(kind: 'folders' | 'files', start: number, end: number): void {
		this.#visibleRanges[kind] = { start, end };
		if (this.#failure === undefined) void this.#run();
	}

	/** Loads to the end, and reloads stale segments. @throws the error of a page */
	async loadAll(): Promise<void> {
		this.#isAllVisible = true;
		try {
			while (this.hasMore || this.#findStale() >= 0) {
				this.#targetCount = Number.POSITIVE_INFINITY;
				this.#failure = undefined;
				await this.#run();
				if (this.#failure !== undefined) throw this.#failure;
			}
		} finally {
			this.#isAllVisible = false;
		}
	}

	/** Clears the failure and loads again. */
	retry(): void {
		this.#failure = undefined;
		this.#notify();
		void this.#run();
	}

	/** Applies a change of the list; `first` is its new first page. */
	refresh(first: ListingPage): void {
		this.#pendingRefresh = first;
		this.#failure = undefined;
		void this.#run();
	}

	#run(): Promise<void> {
		this.#running ??= this.#load();
		return this.#running;
	}

	async #load(): Promise<void> {
		try {
			// `#running` must be set before the first step; requests after the last step start another run.
			await null;
			for (;;) {
				const stale = this.#pendingRefresh === null ? this.#findStale() : -1;
				if (this.#pendingRefresh !== null) this.#applyRefresh(this.#pendingRefresh);
				else if (stale >= 0) await this.#reloadSegment(stale);
				else if (this.#nextCursor !== null && this.#count < this.#targetCount)
					await this.#loadNextPage(this.#nextCursor);
				else return;
				this.#notify();
			}
		} catch (error) {
			this.#failure = error;
			this.#notify();
		} finally {
			this.#running = null;
		}
	}

	get #count(): number {
		return this.#folders.length + this.#files.length;
	}

	async #loadNextPage(cursor: string): Promise<void> {
		const page = await this.#fetch({ cursor });
		const stretch = { after: cursor, folders: 0, files: 0, isStale: false };
		this.#segments.push(stretch);
		for (const item of page.items) this.#add(stretch, item);
		this.#nextCursor = page.nextCursor;
	}

	#add(stretch: RowSegment, item: Node): void {
		const kind = item.kind === 'folder' ? 'folders' : 'files';
		stretch[kind] += 1;
		(kind === 'folders' ? this.#folders : this.#files).push(item);
	}

	#replaceAll(first: ListingPage): void {
		const stretch = { after: undefined, folders: 0, files: 0, isStale: false };
		this.#folders.length = 0;
		this.#files.length = 0;
		this.#segments = [stretch];
		for (const item of first.items) this.#add(stretch, item);
		this.#nextCursor = first.nextCursor;
	}

	#applyRefresh(first: ListingPage): void {
		this.#pendingRefresh = null;
		if (first.nextCursor === null || this.#segments.length === 1) {
			this.#replaceAll(first);
			return;
		}
		for (const stretch of this.#segments) stretch.isStale = true;
		// If the new first page ends where the first segment ends, it replaces that segment.
		if (first.nextCursor === this.#segments[1]?.after)
			this.#replaceSegment(0, [{ after: undefined, items: first.items }]);
	}

	/** Index of a visible stale segment; -1 for none. */
	#findStale(): number {
		const { folders, files } = this.#visibleRanges;
		let [folder, file] = [0, 0];
		return this.#segments.findIndex((stretch) => {
			const isSeen =
				this.#isAllVisible ||
				(folder < folders.end && folder + stretch.folders > folders.start) ||
				(file < files.end && file + stretch.files > files.start);
			folder += stretch.folders;
			file += stretch.files;
			return stretch.isStale && isSeen;
		});
	}

	async #reloadSegment(at: number): Promise<void> {
		const until = this.#segments[at + 1]?.after ?? this.#nextCursor ?? undefined;
		const pages: Array<{ after: string | undefined; items: Node[] }> = [];
		let cursor: string | null | undefined = this.#segments[at]?.after;
		do {
			const page: ListingPage = await this.#fetch({ cursor, until });
			pages.push({ after: cursor, items: page.items });
			cursor = page.nextCursor;
		} while (cursor !== null && until !== undefined);
		if (until === undefined) this.#nextCursor = cursor;
		this.#replaceSegment(at, pages);
	}

	/** Replaces one segment by pages; if they are empty, the following segment takes over its start. */
	#replaceSegment(at: number, pages: ReadonlyArray<{ after: string | undefined; items: Node[] }>): void {
		const before = this.#segments.slice(0, at);
		const old = this.#segments[at];
		const next = this.#segments[at + 1];
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
			this.#segments.splice(at, 1);
		} else this.#segments.splice(at, 1, ...fresh);
	}

	#notify(): void {
		this.#version += 1;
		for (const listener of this.#listeners) listener();
	}
}
