import { type ByteRange, countPieces, slicesOf } from './kept-pieces.ts';
import { type Kept, type KeptEdition, type ShelfLike, settle } from './kept-shape.ts';

/**
 * What a device keeps, in the browser's Cache Storage: one cache for one person, with the editions' bytes in pieces, the
 * last answers that the reader needs, and a record of what is whole. Pages and the worker both write it, one after the
 * other under one lock, and whoever writes looks at the record first: what was removed meanwhile is not written any more.
 */
const prefix = 'folio-kept-';
/** Everything that this product lays into Cache Storage begins so. */
const everyPrefix = 'folio-';
const lockName = 'folio-kept';
const channelName = 'folio-kept';
const recordAddress = '/kept/record';
const pieceParameter = 'piece';

/** Whether this browser can keep anything: only behind https (or on this very machine). */
export function canKeepHere(): boolean {
	return 'caches' in globalThis && 'locks' in navigator && 'serviceWorker' in navigator;
}

/** What is kept; null for nothing. */
export async function readKept(): Promise<Kept | null> {
	const name = (await caches.keys()).find((each) => each.startsWith(prefix));
	if (name === undefined) return null;
	const record = await caches.match(recordAddress, { cacheName: name });
	if (record === undefined) return null;
	const editions = (await record.json()) as readonly KeptEdition[];
	return { personId: name.slice(prefix.length), editions };
}

/** Whether anything of this product is in Cache Storage. */
export async function hasAnything(): Promise<boolean> {
	return (await caches.keys()).some((name) => name.startsWith(everyPrefix));
}

/** Begins to keep an edition for a person; whatever was kept for another is gone. */
export function beginEdition(personId: string, edition: Omit<KeptEdition, 'isWhole'>): Promise<void> {
	return locked(async () => {
		const kept = await readKept();
		if (kept?.personId !== personId) await removeCaches(prefix);
		const others = kept?.personId === personId ? kept.editions : [];
		const same = others.find(({ key, version }) => key === edition.key && version === edition.version);
		if (same !== undefined) return;
		await writeRecord(personId, [...others.filter(({ key }) => key !== edition.key), { ...edition, isWhole: false }]);
	});
}

/** Lays a piece of an edition down. @returns false when the edition is not to be kept any more */
export function keepPiece(personId: string, edition: KeptEditionName, index: number, bytes: Blob): Promise<boolean> {
	return locked(async () => {
		if (find(await readKept(), personId, edition) === undefined) return false;
		await (await open(personId)).put(pieceAddress(edition.url, index), new Response(bytes));
		return true;
	});
}

/** Which pieces of an edition are here already. */
export function listPieces(personId: string, edition: KeptEditionName): Promise<Set<number>> {
	return locked(async () => {
		const found = find(await readKept(), personId, edition);
		return found === undefined ? new Set() : piecesOf(personId, found);
	});
}

/** Says that every byte of an edition is here. @returns false when it is not to be kept any more, or a piece is missing */
export function finishEdition(personId: string, edition: KeptEditionName): Promise<boolean> {
	return locked(async () => {
		const kept = await readKept();
		const found = find(kept, personId, edition);
		if (kept === null || found === undefined) return false;
		const pieces = await piecesOf(personId, found);
		if (pieces.size !== countPieces(found.sizeBytes)) return false;
		const editions = kept.editions.map((each) => (each === found ? { ...each, isWhole: true } : each));
		await writeRecord(personId, editions);
		return true;
	});
}

/** Removes one edition; with the last one everything. @returns what is kept still */
export function removeEdition(key: string): Promise<Kept | null> {
	return changeEditions((editions) => editions.filter((each) => each.key !== key));
}

/** Heeds what the server says may be read: see {@link settle}. @returns what is kept still */
export function settleWithShelf(shelf: ShelfLike): Promise<Kept | null> {
	return changeEditions((editions) => settle(editions, shelf));
}

/** Removes all that is kept for whomever, at once; the app's own files too, unless `isShellLeft`. */
export function removeEverything({ isShellLeft = false } = {}): Promise<void> {
	return locked(() => removeAll(isShellLeft));
}

async function removeAll(isShellLeft = false): Promise<void> {
	await removeCaches(isShellLeft ? prefix : everyPrefix);
	announce();
}

/** Keeps an answer of the API, for when there is no line. */
export function keepAnswer(personId: string, path: string, answer: Response): Promise<void> {
	return locked(async () => {
		if ((await readKept())?.personId === personId) await (await open(personId)).put(path, answer);
	});
}

/** The last answer of the API that was kept. */
export async function recallAnswer({ personId }: Kept, path: string): Promise<Response | undefined> {
	const kept = await caches.match(path, { cacheName: prefix + personId });
	if (kept === undefined) return undefined;
	const headers = new Headers(kept.headers);
	// Nobody is to set a clock by it.
	headers.delete('date');
	return new Response(kept.body, { status: kept.status, headers });
}

/** The bytes of a range of a whole edition; null when a piece of it is missing. */
export async function readRange({ personId }: Kept, { url }: KeptEditionName, range: ByteRange): Promise<Blob | null> {
	// Not opened, which would make a cache of what has just been removed.
	const cacheName = prefix + personId;
	const parts = await Promise.all(
		slicesOf(range).map(async ({ piece, from, to }) => {
			const kept = await caches.match(pieceAddress(url, piece), { cacheName });
			return kept === undefined ? null : (await kept.blob()).slice(from, to);
		}),
	);
	const found = parts.filter((part) => part !== null);
	const blob = new Blob(found);
	return found.length === parts.length && blob.size === range.end - range.start + 1 ? blob : null;
}

/** Calls back when what is kept has changed, in whichever tab or worker. @returns how to stop */
export function onKeptChange(listener: () => void): () => void {
	const channel = new BroadcastChannel(channelName);
	channel.onmessage = listener;
	return () => channel.close();
}

type KeptEditionName = Pick<KeptEdition, 'key' | 'url' | 'version'>;

function find(kept: Kept | null, personId: string, { key, version }: KeptEditionName): KeptEdition | undefined {
	if (kept?.personId !== personId) return undefined;
	return kept.editions.find((each) => each.key === key && each.version === version);
}

function changeEditions(change: (editions: readonly KeptEdition[]) => KeptEdition[]): Promise<Kept | null> {
	return locked(async () => {
		const kept = await readKept();
		if (kept === null) return null;
		const editions = change(kept.editions);
		if (editions.length === 0) {
			await removeAll();
			return null;
		}
		if (JSON.stringify(editions) === JSON.stringify(kept.editions)) return kept;
		// First the record: nothing is offered whose bytes are going.
		await writeRecord(kept.personId, editions);
		await removeLeftovers(kept.personId, editions);
		return { ...kept, editions };
	});
}

/** Removes the bytes and answers of editions that are not kept any more. */
async function removeLeftovers(personId: string, editions: readonly KeptEdition[]): Promise<void> {
	const cache = await open(personId);
	const isLeft = (request: Request) => {
		const piece = pieceOf(request);
		if (piece !== null) return editions.every(({ url }) => url !== piece.url);
		const reading = /^\/api\/reading\/(?<key>[^/]+)$/u.exec(new URL(request.url).pathname)?.groups?.key;
		return reading !== undefined && editions.every(({ key }) => key !== reading);
	};
	await Promise.all((await cache.keys()).filter(isLeft).map((request) => cache.delete(request)));
}

async function piecesOf(personId: string, { url }: KeptEdition): Promise<Set<number>> {
	const pieces = (await (await open(personId)).keys()).flatMap((request) => {
		const piece = pieceOf(request);
		return piece?.url === url ? [piece.index] : [];
	});
	return new Set(pieces);
}

function open(personId: string): Promise<Cache> {
	return caches.open(prefix + personId);
}

async function writeRecord(personId: string, editions: readonly KeptEdition[]): Promise<void> {
	await (await open(personId)).put(recordAddress, Response.json(editions));
	announce();
}

async function removeCaches(startingWith: string): Promise<void> {
	const names = (await caches.keys()).filter((name) => name.startsWith(startingWith));
	await Promise.all(names.map((name) => caches.delete(name)));
}

function pieceAddress(url: string, index: number): string {
	return `${url}&${pieceParameter}=${index}`;
}

function pieceOf(request: Request): { url: string; index: number } | null {
	const { pathname, search } = new URL(request.url);
	const found = /^(?<url>.+)&piece=(?<index>\d+)$/u.exec(pathname + search)?.groups;
	return found?.url === undefined ? null : { url: found.url, index: Number(found.index) };
}

function locked<T>(work: () => Promise<T>): Promise<T> {
	return navigator.locks.request(lockName, work);
}

function announce(): void {
	const channel = new BroadcastChannel(channelName);
	channel.postMessage(null);
	channel.close();
}
