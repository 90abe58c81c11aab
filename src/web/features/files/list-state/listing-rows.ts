import type { Node } from '#contract/files/files.ts';

/** Folders first, then files. */
export interface ListingPage {
	items: Node[];
	nextCursor: string | null;
}

/** The requested part of the list: after `cursor`, up to `until`. */
export interface ListingRange {
	cursor?: string | undefined;
	until?: string | undefined;
}

/** The rows of one response. A segment ends where the next segment begins. */
interface RowSegment {
	/** Cursor after which the segment begins; undefined at the start of the list. */
	after: string | undefined;
	folders: Node[];
	files: Node[];
	/** The list may have changed since this segment was loaded. */
	isStale: boolean;
}

/**
 * The loaded rows of one listing. Pages are loaded in order, a little further than the visible rows. After a change of
 * the list, each segment is reloaded when it is visible: all rows from its start to the start of the next segment.
 */
export class ListingRows {
	readonly #fetch: (range: ListingRange) => Promise<ListingPage>;
	readonly #listeners = new Set<() => void>();
	folders: readonly Node[] = [];
	files: readonly Node[] = [];
	/** The error of the last request; undefined after a success. */
	failure: unknown;
	#segments: readonly RowSegment[] = [];
	#nextCursor: string | null = null;
	#pendingRefresh: ListingPage | null = null;
	readonly #visibleRanges = { folders: { start: 0, end: 0 }, files: { start: 0, end: 0 } };
	#isAllVisible = false;
	#version = 0;
	#running: Promise<void> | null = null;

	constructor(first: ListingPage, fetch: (range: ListingRange) => Promise<ListingPage>) {
		this.#fetch = fetch;
		this.#replaceAll(first);
	}

	get hasMore(): boolean {
		return this.#nextCursor !== null;
	}

	readonly version = (): number => this.#version;

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	/** Sets the visible range (`end` is exclusive). Then loads missing rows and reloads stale rows in this range. */
	setVisibleRange(kind: 'folders' | 'files', start: number, end: number): void {
		this.#visibleRanges[kind] = { start, end };
		if (this.failure === undefined) void this.#run();
	}

	/** Call this when the list is hidden. Stops loading rows. */
	hideAll(): void {
		for (const range of Object.values(this.#visibleRanges)) range.end = 0;
	}

	/** Loads all rows, and reloads stale segments. @throws the error of a request */
	async loadAll(): Promise<void> {
		this.#isAllVisible = true;
		try {
			while (this.hasMore || this.#findStale() >= 0) {
				this.failure = undefined;
				await this.#run();
				if (this.failure !== undefined) throw this.failure;
			}
		} finally {
			this.#isAllVisible = false;
		}
	}

	retry(): void {
		this.failure = undefined;
		this.#notify();
		void this.#run();
	}

	/** Reloads a changed list. `first`: the new first page. */
	refresh(first: ListingPage): void {
		this.#pendingRefresh = first;
		this.failure = undefined;
		void this.#run();
	}

	#run(): Promise<void> {
		this.#running ??= this.#load();
		return this.#running;
	}

	async #load(): Promise<void> {
		try {
			// `#run` must set `#running` before `finally` resets it.
			await null;
			for (;;) {
				const staleIndex = this.#pendingRefresh === null ? this.#findStale() : -1;
				if (this.#pendingRefresh !== null) this.#applyRefresh(this.#pendingRefresh);
				else if (staleIndex >= 0) await this.#reloadSegment(staleIndex);
				else if (this.#nextCursor !== null && this.folders.length + this.files.length < this.#targetCount())
					this.#append(this.#nextCursor, await this.#fetch({ cursor: this.#nextCursor }));
				else return;
				this.#notify();
			}
		} catch (error) {
			this.failure = error;
			this.#notify();
		} finally {
			this.#running = null;
		}
	}

	/** Number of rows to load, counted from the start of the list. */
	#targetCount(): number {
		if (this.#isAllVisible) return Number.POSITIVE_INFINITY;
		const { folders, files } = this.#visibleRanges;
		return (files.end > 0 ? this.folders.length + files.end : folders.end) + prefetchRows;
	}

	#append(after: string | undefined, { items, nextCursor }: ListingPage): void {
		this.#setSegments([...this.#segments, toSegment(after, items)]);
		this.#nextCursor = nextCursor;
	}

	#replaceAll(first: ListingPage): void {
		this.#segments = [];
		this.#append(undefined, first);
	}

	#setSegments(segments: readonly RowSegment[]): void {
		this.#segments = segments;
		this.folders = segments.flatMap(({ folders }) => folders);
		this.files = segments.flatMap(({ files }) => files);
	}

	#applyRefresh(first: ListingPage): void {
		this.#pendingRefresh = null;
		if (first.nextCursor === null || this.#segments.length === 1) {
			this.#replaceAll(first);
			return;
		}
		for (const segment of this.#segments) segment.isStale = true;
		// If the first segment has the same range as the new first page, it needs no request.
		if (first.nextCursor === this.#segments[1]?.after) this.#replaceSegment(0, [toSegment(undefined, first.items)]);
	}

	#findStale(): number {
		const { folders, files } = this.#visibleRanges;
		let [folder, file] = [0, 0];
		return this.#segments.findIndex((segment) => {
			const isVisible =
				this.#isAllVisible ||
				(folder < folders.end && folder + segment.folders.length > folders.start) ||
				(file < files.end && file + segment.files.length > files.start);
			folder += segment.folders.length;
			file += segment.files.length;
			return segment.isStale && isVisible;
		});
	}

	async #reloadSegment(at: number): Promise<void> {
		const until = this.#segments[at + 1]?.after ?? this.#nextCursor ?? undefined;
		const segments: RowSegment[] = [];
		let cursor: string | null | undefined = this.#segments[at]?.after;
		do {
			const page: ListingPage = await this.#fetch({ cursor, until });
			segments.push(toSegment(cursor, page.items));
			cursor = page.nextCursor;
		} while (cursor !== null && until !== undefined);
		if (until === undefined) this.#nextCursor = cursor;
		this.#replaceSegment(at, segments);
	}

	/** Replaces a segment. If the replacement has no rows, the next segment begins where the replaced segment began. */
	#replaceSegment(at: number, segments: readonly RowSegment[]): void {
		const next = this.#segments[at + 1];
		const isEmpty = segments.every(({ folders, files }) => folders.length + files.length === 0);
		if (isEmpty && next !== undefined) next.after = this.#segments[at]?.after;
		this.#setSegments(this.#segments.toSpliced(at, 1, ...(isEmpty && next !== undefined ? [] : segments)));
	}

	#notify(): void {
		this.#version += 1;
		for (const listener of this.#listeners) listener();
	}
}

function toSegment(after: string | undefined, items: readonly Node[]): RowSegment {
	const { folder: folders = [], file: files = [] } = Object.groupBy(items, ({ kind }) => kind);
	return { after, folders, files, isStale: false };
}

const prefetchRows = 100;
const placeholderRows = 24;

/**
 * Returns the numbers of folders and files, including those not loaded yet, so that the page has its final height. A
 * search or filter has no totals: until all its rows are loaded, the numbers are estimated and `isExact` is false.
 */
export function countNodes(
	{ folders, files, hasMore }: Pick<ListingRows, 'folders' | 'files' | 'hasMore'>,
	totals: { folders: number; files: number } | undefined,
) {
	const loaded = { folders: folders.length, files: files.length, isExact: !hasMore || totals !== undefined };
	if (!hasMore) return loaded;
	if (totals !== undefined)
		return {
			...loaded,
			folders: Math.max(loaded.folders, totals.folders),
			files: Math.max(loaded.files, totals.files),
		};
	const kind = loaded.files > 0 ? 'files' : 'folders';
	return { ...loaded, [kind]: loaded[kind] + placeholderRows };
}
