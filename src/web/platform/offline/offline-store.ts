import type { ByteRange } from '#shared/byte-ranges.ts';
import { countChunks, splitRangeByChunk } from './offline-chunks.ts';
import { type OfflineData, type OfflineEdition, reconcileEditions, type ShelfLike } from './offline-editions.ts';

/**
 * Each user has one cache with the editions' bytes, the responses that the reader needs, and a record of the editions.
 * Pages and the service worker write under one lock. They check the record first, so that deleted data is not written
 * again.
 */
const cachePrefix = 'folio-kept-';
const productPrefix = 'folio-';
const lockName = 'folio-kept';
const channelName = 'folio-kept';
const recordUrl = '/kept/record';
const chunkParameter = 'piece';

/** False in an insecure context: browsers require https or localhost. */
export function isOfflineSupported(): boolean {
	return 'caches' in globalThis && 'locks' in navigator && 'serviceWorker' in navigator;
}

export async function readOfflineData(): Promise<OfflineData | null> {
	const name = (await caches.keys()).find((cacheName) => cacheName.startsWith(cachePrefix));
	if (name === undefined) return null;
	const record = await caches.match(recordUrl, { cacheName: name });
	if (record === undefined) return null;
	const editions = (await record.json()) as readonly OfflineEdition[];
	return { userId: name.slice(cachePrefix.length), editions };
}

export async function hasCachedData(): Promise<boolean> {
	return (await caches.keys()).some((name) => name.startsWith(productPrefix));
}

/** Records an edition as incomplete, unless the same version is recorded already. Deletes the data of other users. */
export function addEdition(userId: string, edition: Omit<OfflineEdition, 'isWhole'>): Promise<void> {
	return withLock(async () => {
		const current = await readOfflineData();
		if (current?.userId !== userId) await deleteCaches(cachePrefix);
		const ownEditions = current?.userId === userId ? current.editions : [];
		const same = ownEditions.find(({ key, version }) => key === edition.key && version === edition.version);
		if (same !== undefined) return;
		await writeRecord(userId, [
			...ownEditions.filter(({ key }) => key !== edition.key),
			{ ...edition, isWhole: false },
		]);
	});
}

/** Stores a chunk. Returns false if the edition was removed from the record in the meantime. */
export function saveChunk(userId: string, edition: EditionIdentity, index: number, bytes: Blob): Promise<boolean> {
	return withLock(async () => {
		if (findEdition(await readOfflineData(), userId, edition) === undefined) return false;
		await (await openCache(userId)).put(chunkUrl(edition.url, index), new Response(bytes));
		return true;
	});
}

export function listChunks(userId: string, edition: EditionIdentity): Promise<Set<number>> {
	return withLock(async () => {
		const recorded = findEdition(await readOfflineData(), userId, edition);
		return recorded === undefined ? new Set() : findStoredChunks(userId, recorded);
	});
}

/** Marks an edition as complete. Returns false if the edition was removed from the record or a chunk is missing. */
export function completeEdition(userId: string, edition: EditionIdentity): Promise<boolean> {
	return withLock(async () => {
		const current = await readOfflineData();
		const recorded = findEdition(current, userId, edition);
		if (current === null || recorded === undefined) return false;
		const chunks = await findStoredChunks(userId, recorded);
		if (chunks.size !== countChunks(recorded.sizeBytes)) return false;
		const editions = current.editions.map((other) => (other === recorded ? { ...other, isWhole: true } : other));
		await writeRecord(userId, editions);
		return true;
	});
}

/** Removes an edition. Deletes all offline data if no edition remains. Returns the remaining data, or null. */
export function deleteEdition(key: string): Promise<OfflineData | null> {
	return updateEditions((editions) => editions.filter((edition) => edition.key !== key));
}

/** Applies the server's list of readable editions ({@link reconcileEditions}). Returns the remaining data, or null. */
export function reconcileWithShelf(shelf: ShelfLike): Promise<OfflineData | null> {
	return updateEditions((editions) => reconcileEditions(editions, shelf));
}

/** Deletes the offline data of all users. Deletes the app's own files too, unless `isShellLeft`. */
export function deleteAllOfflineData({ isShellLeft = false } = {}): Promise<void> {
	return withLock(() => deleteCachesAndPublish(isShellLeft));
}

async function deleteCachesAndPublish(isShellLeft = false): Promise<void> {
	await deleteCaches(isShellLeft ? cachePrefix : productPrefix);
	publishChange();
}

export function saveResponse(userId: string, path: string, response: Response): Promise<void> {
	return withLock(async () => {
		if ((await readOfflineData())?.userId === userId) await (await openCache(userId)).put(path, response);
	});
}

export async function findResponse({ userId }: OfflineData, path: string): Promise<Response | undefined> {
	const stored = await caches.match(path, { cacheName: cachePrefix + userId });
	if (stored === undefined) return undefined;
	const headers = new Headers(stored.headers);
	// The page would use an old date as the server's current time.
	headers.delete('date');
	return new Response(stored.body, { status: stored.status, headers });
}

/** Returns null if a chunk is missing. */
export async function readRange(
	{ userId }: OfflineData,
	{ url }: EditionIdentity,
	range: ByteRange,
): Promise<Blob | null> {
	// `caches.open` would create a deleted cache again.
	const cacheName = cachePrefix + userId;
	const parts = await Promise.all(
		splitRangeByChunk(range).map(async ({ index, from, to }) => {
			const stored = await caches.match(chunkUrl(url, index), { cacheName });
			return stored === undefined ? null : (await stored.blob()).slice(from, to);
		}),
	);
	const storedParts = parts.filter((part) => part !== null);
	const blob = new Blob(storedParts);
	return storedParts.length === parts.length && blob.size === range.end - range.start + 1 ? blob : null;
}

/** Calls `listener` after a change in any tab. Returns a function that unsubscribes. */
export function onOfflineDataChange(listener: () => void): () => void {
	const channel = new BroadcastChannel(channelName);
	channel.onmessage = listener;
	return () => channel.close();
}

type EditionIdentity = Pick<OfflineEdition, 'key' | 'url' | 'version'>;

function findEdition(data: OfflineData | null, userId: string, { key, version }: EditionIdentity) {
	if (data?.userId !== userId) return undefined;
	return data.editions.find((edition) => edition.key === key && edition.version === version);
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
		// The record is written first, so that no edition is offered whose bytes are being deleted.
		await writeRecord(current.userId, editions);
		await deleteOrphanedEntries(current.userId, editions);
		return { ...current, editions };
	});
}

async function deleteOrphanedEntries(userId: string, editions: readonly OfflineEdition[]): Promise<void> {
	const cache = await openCache(userId);
	const isOrphaned = (request: Request) => {
		const chunk = parseChunkUrl(request);
		if (chunk !== null) return editions.every(({ url }) => url !== chunk.url);
		const readingKey = /^\/api\/reading\/(?<key>[^/]+)$/u.exec(new URL(request.url).pathname)?.groups?.key;
		return readingKey !== undefined && editions.every(({ key }) => key !== readingKey);
	};
	await Promise.all((await cache.keys()).filter(isOrphaned).map((request) => cache.delete(request)));
}

async function findStoredChunks(userId: string, { url }: OfflineEdition): Promise<Set<number>> {
	const indexes = (await (await openCache(userId)).keys()).flatMap((request) => {
		const chunk = parseChunkUrl(request);
		return chunk?.url === url ? [chunk.index] : [];
	});
	return new Set(indexes);
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
	const groups = /^(?<url>.+)&piece=(?<index>\d+)$/u.exec(pathname + search)?.groups;
	return groups?.url === undefined ? null : { url: groups.url, index: Number(groups.index) };
}

function withLock<T>(work: () => Promise<T>): Promise<T> {
	return navigator.locks.request(lockName, work);
}

function publishChange(): void {
	const channel = new BroadcastChannel(channelName);
	channel.postMessage(null);
	channel.close();
}
