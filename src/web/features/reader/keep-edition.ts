import type { ShelfEdition } from '#contract/reader/reader.ts';
import { isRefusedRoom } from '#web/platform/kept/filling.ts';
import { countPieces, pieceBytes, rangeOfPiece } from '#web/platform/kept/kept-pieces.ts';
import {
	beginEdition,
	finishEdition,
	hasAnything,
	keepAnswer,
	keepPiece,
	listPieces,
	removeEdition,
} from '#web/platform/kept/kept-store.ts';
import { NotFilledError, startWorker, stopWorker } from '#web/platform/kept/kept-worker.ts';
import { fetchRange, PdfRangeError } from '#web/ui/pdf/pdf-ranges.ts';

/** About what the app itself takes, with pdf.js and its fonts. */
const shellBytes = 12 * 1024 * 1024;

/**
 * Why an edition was not kept. `room`: the device has no room for it, or gives none; `line`: the server cannot be reached,
 * and what has arrived stays for the next try; `denied`: it may not be read, or is another one by now; `over`: it is not
 * wanted any more.
 */
export type KeepFailure = 'room' | 'line' | 'denied' | 'over';

export class NotKeptError extends Error {
	readonly reason: KeepFailure;

	constructor(reason: KeepFailure) {
		super(`The edition was not kept: ${reason}`);
		this.name = 'NotKeptError';
		this.reason = reason;
	}
}

type Wanted = Pick<ShelfEdition, 'key' | 'version' | 'url' | 'size'>;

/**
 * Keeps an edition on this device for a person: the app and the bytes, from where an earlier try was broken off. It counts
 * as kept only when everything is there.
 *
 * @param tell hears how much of it has arrived, 0 to 1
 * @throws {NotKeptError}
 */
export async function keepEdition(
	personId: string,
	{ key, version, url, size }: Wanted,
	tell: (share: number) => void,
	signal: AbortSignal,
): Promise<void> {
	const edition = { key, version, url, sizeBytes: size };
	try {
		const here = (await listPieces(personId, edition)).size * pieceBytes;
		await requireRoom(Math.max(0, size - here) + ((await hasAnything()) ? 0 : shellBytes));
		await beginEdition(personId, edition);
		await startWorker();
		await fetchPieces(personId, edition, tell, signal);
		const calls = ['/api/me', '/api/shelf', '/api/outline-pairs', `/api/reading/${key}`];
		for (const path of calls) await fetchAnswer(personId, path);
		if (!(await finishEdition(personId, edition))) throw new NotKeptError('over');
	} catch (error) {
		const reason = reasonOf(error, signal);
		// Nothing half kept stays behind, but for a line that comes back; what is `over` is another's to say.
		if (reason === 'room' || reason === 'denied') await dropEdition(key);
		throw new NotKeptError(reason);
	}
}

/** Removes an edition from this device; with the last one the worker too. */
export async function dropEdition(key: string): Promise<void> {
	if ((await removeEdition(key)) === null) await stopWorker();
}

async function fetchPieces(
	personId: string,
	edition: Parameters<typeof keepPiece>[1] & { sizeBytes: number },
	tell: (share: number) => void,
	signal: AbortSignal,
): Promise<void> {
	const count = countPieces(edition.sizeBytes);
	const here = await listPieces(personId, edition);
	let done = here.size;
	for (let index = 0; index < count; index++) {
		tell(done / count);
		const range = rangeOfPiece(index, edition.sizeBytes);
		if (here.has(index) || range === undefined) continue;
		const bytes = await fetchRange(edition.url, range.start, range.end + 1, signal);
		if (!(await keepPiece(personId, edition, index, new Blob([Uint8Array.from(bytes)]))))
			throw new NotKeptError('over');
		done += 1;
	}
	tell(1);
}

async function fetchAnswer(personId: string, path: string): Promise<void> {
	const answer = await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' });
	if (!answer.ok) throw new NotKeptError(answer.status >= 500 ? 'line' : 'denied');
	await keepAnswer(personId, path, answer);
}

/** @throws {NotKeptError} when the browser says that there is not so much room left */
async function requireRoom(bytes: number): Promise<void> {
	const { storage } = navigator;
	// Older ones do not tell: then it shows when it is full.
	const { quota, usage = 0 } = 'estimate' in storage ? await storage.estimate() : {};
	if (quota !== undefined && quota - usage < bytes) throw new NotKeptError('room');
	// Asked for, not counted on: without it the browser may remove everything when the device is full.
	if ('persist' in storage) await storage.persist().catch(() => false);
}

function reasonOf(error: unknown, signal: AbortSignal): KeepFailure {
	if (signal.aborted) return 'over';
	if (error instanceof NotKeptError || error instanceof NotFilledError) return error.reason;
	if (error instanceof PdfRangeError) return error.reason === 'denied' ? 'denied' : 'line';
	return isRefusedRoom(error) ? 'room' : 'line';
}
