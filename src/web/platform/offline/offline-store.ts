import { type ByteRange, countChunks, splitRangeByChunk } from './offline-chunks.ts';
import { type OfflineData, type OfflineEdition, reconcileEditions, type ShelfLike } from './offline-editions.ts';

/**
 * Offline data in the browser's Cache Storage: one cache for each user, with the editions' bytes in chunks, the last
 * responses that the reader needs, and a record of what is complete. Pages and the worker both write it, one at a time
 * under one lock, and check the record first, so that data deleted meanwhile is not written again.
 */
const cachePrefix = 'folio-kept-';
/** Prefix of all caches of this product. */
const productPrefix = 'folio-';
const lockName = 'folio-kept';
const channelName = 'folio-kept';
const recordUrl = '/kept/record';
const chunkParameter = 'piece';

/** Whether this browser can store offline data: only in a secure context (https or localhost). */
export function isOfflineSupported(): boolean {
	return 'caches' in globalThis && 'locks' in navigator && 'serviceWorker' in navigator;
}

/** Returns the record of the offline data; null without any. */
export async function readOfflineData(): Promise<OfflineData | null> {
	const name = (await caches.keys()).find((each) => each.startsWith(cachePrefix));
	if (name === undefined) return null;
	const record = await caches.match(recordUrl, { cacheName: name });
	if (record === undefined) return null;
	const editions = (await record.json()) as readonly OfflineEdition[];
	return { userId: name.slice(cachePrefix.length), editions };
}

/** Whether anything of this product is in Cache Storage. */
export async function hasCachedData(): Promise<boolean> {
	return (await caches.keys()).some((name) => name.startsWith(productPrefix));
}

/** Begins to store an edition for a user; data of any other user is deleted. */
export function addEdition(userId: string, edition: Omit<OfflineEdition, 'isWhole'>): Promise<void> {
	return withLock(async () => {
		const current = await readOfflineData();
		if (current?.userId !== userId) await deleteCaches(cachePrefix);
		const others = current?.userId === userId ? current.editions : [];
		const same = others.find(({ key, version }) => key === edition.key && version === edition.version);
		if (same !== undefined) return;
		await writeRecord(userId, [...others.filter(({ key }) => key !== edition.key), { ...edition, isWhole: false }]);
	});
}

/** Stores a chunk of an edition; returns false when the edition is no longer to be stored. */
export function saveChunk(userId: string, edition: EditionIdentity, index: number, bytes: Blob): Promise<boolean> {
	return withLock(async () => {
		if (findEdition(await readOfflineData(), userId, edition) === undefined) return false;
		await (await openCache(userId)).put(chunkUrl(edition.url, index), new Response(bytes));
		return true;
	});
}

/** Returns the indexes of the chunks that are stored. */
export function listChunks(userId: string, edition: EditionIdentity): Promise<Set<number>> {
	return withLock(async () => {
		const found = findEdition(await readOfflineData(), userId, edition);
		return found === undefined ? new Set() : findStoredChunks(userId, found);
	});
}

/** Marks an edition as complete; returns false when it is no longer to be stored, or a chunk is missing. */
export function completeEdition(userId: string, edition: EditionIdentity): Promise<boolean> {
	return withLock(async () => {
		const current = await readOfflineData();
		const found = findEdition(current, userId, edition);
		if (current === null || found === undefined) return false;
		const pieces = await findStoredChunks(userId, found);
		if (pieces.size !== countChunks(found.sizeBytes)) return false;
		const editions = current.editions.map((each) => (each === found ? { ...each, isWhole: true } : each));
		await writeRecord(userId, editions);
		return true;
	});
}

/** Removes one edition; with the last one, all offline data. Returns the remaining data. */
export function deleteEdition(key: string): Promise<OfflineData | null> {
	return updateEditions((editions) => editions.filter((each) => each.key !== key));
}

/** Applies the server's list of readable editions ({@link reconcileEditions}). Returns the remaining data. */
export function reconcileWithShelf(shelf: ShelfLike): Promise<OfflineData | null> {
	return updateEditions((editions) => reconcileEditions(editions, shelf));
}

/** Deletes the offline data of all users at once; the app's own files too, unless `isShellLeft`. */
export function deleteAllOfflineData({ isShellLeft = false } = {}): Promise<void> {
	return withLock(() => deleteCachesAndPublish(isShellLeft));
}

async function deleteCachesAndPublish(isShellLeft = false): Promise<void> {
	await deleteCaches(isShellLeft ? cachePrefix : productPrefix);
	publishChange();
}

/** Stores a response of the API for offline use. */
export function saveResponse(userId: string, path: string, response: Response): Promise<void> {
	return withLock(async () => {
		if ((await readOfflineData())?.userId === userId) await (await openCache(userId)).put(path, response);
	});
}

/** Returns the last stored response of the API. */
export async function findResponse({ userId: personId }: OfflineData, path: string): Promise<Response | undefined> {
	const stored = await caches.match(path, { cacheName: cachePrefix + personId });
	if (stored === undefined) return undefined;
	const headers = new Headers(stored.headers);
	// The date of a stored response must not be used to set the clock.
	headers.delete('date');
	return new Response(stored.body, { status: stored.status, headers });
}

/** Returns the bytes of a range of a complete edition; null when one of its chunks is missing. */
export async function readRange(
	{ userId: personId }: OfflineData,
	{ url }: EditionIdentity,
	range: ByteRange,
): Promise<Blob | null> {
	// `caches.open` would create the cache again if it has just been removed.
	const cacheName = cachePrefix + personId;
	const parts = await Promise.all(
		splitRangeByChunk(range).map(async ({ piece, from, to }) => {
			const stored = await caches.match(chunkUrl(url, piece), { cacheName });
			return stored === undefined ? null : (await stored.blob()).slice(from, to);
		}),
	);
	const found = parts.filter((part) => part !== null);
	const blob = new Blob(found);
	return found.length === parts.length && blob.size === range.end - range.start + 1 ? blob : null;
}

/** Calls `listener` when the offline data has changed in any tab. Returns a function that unsubscribes. */
export function onOfflineDataChange(listener: () => void): () => void {
	const channel = new BroadcastChannel(channelName);
	channel.onmessage = listener;
	return () => channel.close();
}

type EditionIdentity = Pick<OfflineEdition, 'key' | 'url' | 'version'>;

function findEdition(data: OfflineData | null, userId: string, { key, version }: EditionIdentity) {
	if (data?.userId !== userId) return undefined;
	return data.editions.find((each) => each.key === key && each.version === version);
}

function updateEditions(change: (editions: readonly OfflineEdition[]) => OfflineEdition[]) {
	return withLock(async (): Promise<OfflineData | null> => {
		const current = await readOfflineData();
		if (current === null) return null;
		const editions = change(current.editions);
		if (editions.length === 0) {
			await deleteCachesAndPublish();
			return null;
		}
		if (JSON.stringify(editions) === JSON.stringify(current.editions)) return current;
		// The record is written first, so that no edition is offered while its bytes are being deleted.
		await writeRecord(current.userId, editions);
		await deleteOrphanedEntries(current.userId, editions);
		return { ...current, editions };
	});
}

/** Deletes the bytes and responses of editions that are no longer stored. */
async function deleteOrphanedEntries(userId: string, editions: readonly OfflineEdition[]): Promise<void> {
	const cache = await openCache(userId);
	const isOrphaned = (request: Request) => {
		const piece = parseChunkUrl(request);
		if (piece !== null) return editions.every(({ url }) => url !== piece.url);
		const reading = /^\/api\/reading\/(?<key>[^/]+)$/u.exec(new URL(request.url).pathname)?.groups?.key;
		return reading !== undefined && editions.every(({ key }) => key !== reading);
	};
	await Promise.all((await cache.keys()).filter(isOrphaned).map((request) => cache.delete(request)));
}

async function findStoredChunks(userId: string, { url }: OfflineEdition): Promise<Set<number>> {
	const pieces = (await (await openCache(userId)).keys()).flatMap((request) => {
		const piece = parseChunkUrl(request);
		return piece?.url === url ? [piece.index] : [];
	});
	return new Set(pieces);
}

function openCache(userId: string): Promise<Cache> {
	return caches.open(cachePrefix + userId);
}

async function writeRecord(userId: string, editions: readonly OfflineEdition[]): Promise<void> {
	await (await openCache(userId)).put(recordUrl, Response.json(editions));
	publishChange();
}

async function deleteCaches(startingWith: string): Promise<void> {
	const names = (await caches.keys()).filter((name) => name.startsWith(startingWith));
	await Promise.all(names.map((name) => caches.delete(name)));
}

function chunkUrl(url: string, index: number): string {
	return `${url}&${chunkParameter}=${index}`;
}

function parseChunkUrl(request: Request): { url: string; index: number } | null {
	const { pathname, search } = new URL(request.url);
	const found = /^(?<url>.+)&piece=(?<index>\d+)$/u.exec(pathname + search)?.groups;
	return found?.url === undefined ? null : { url: found.url, index: Number(found.index) };
}

function withLock<T>(work: () => Promise<T>): Promise<T> {
	return navigator.locks.request(lockName, work);
}

function publishChange(): void {
	const channel = new BroadcastChannel(channelName);
	channel.postMessage(null);
	channel.close();
}
