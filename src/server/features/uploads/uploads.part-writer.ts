import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { removeOrLeaveBehind } from '../../platform/storage/leave-behind.ts';
import type { MultipartStorage } from '../../platform/storage/storage.ts';
import { newFileKey } from '../files/files.service.ts';
import { createGatheringMemory } from './uploads.memory.ts';
import * as queries from './uploads.parts.queries.ts';
import type { UploadRow } from './uploads.queries.ts';

const mebibyte = 1024 * 1024;
const usualPartBytes = 8 * mebibyte;
/** Source: Amazon S3 multipart upload limits. */
const lastPartNumber = 10_000;
/** Half of the numbers are left for tries that came to nothing. */
const partsMax = lastPartNumber / 2;
/** All uploads of this process together. */
const memory = createGatheringMemory(16 * usualPartBytes);
/** While others wait, nobody keeps memory for longer: what has come in is laid down. */
const turnMs = 10_000;

/** Parts that the upload counts on are not on the store any more, or cannot be stored: it has to begin anew. */
export class PartsGoneError extends Error {
	override name = 'PartsGoneError';
}

/** Stores bytes of one request as they come in. What a call has thrown ends it. */
export interface PartWriter {
	/** The next bytes; null to have a look while none come. @throws AppError UPLOAD_OFFSET when another process moves the upload */
	add(bytes: Buffer | null): Promise<void>;
	/** Stores the rest. @returns all bytes that are safe */
	end(): Promise<number>;
	/** Where the upload stands as far as this writer has brought it. */
	position(): queries.UploadPosition;
	/** Lets go of what was not stored. */
	close(): void;
}

/** What gathers in memory, beginning behind the last part. */
interface Piece {
	buffer: Buffer;
	filledBytes: number;
	since: number;
}

/** All parts of an upload but the last are of this size: some stores want it so. */
export function partBytesOf(sizeBytes: number, minPartBytes: number): number {
	const needed = Math.ceil(sizeBytes / partsMax / mebibyte) * mebibyte;
	return Math.max(usualPartBytes, minPartBytes, needed);
}

export function positionOf(upload: UploadRow): queries.UploadPosition {
	return {
		arrivedBytes: upload.arrived_bytes,
		storageKey: upload.storage_key,
		multipartId: upload.multipart_id,
		tailKey: upload.tail_key,
		tailBytes: upload.tail_bytes,
	};
}

/**
 * Stores the bytes of one request: full parts while more come in, at the end a short last one, a whole small file, or a
 * tail. Each counts once its commit finds the upload where this writer left it; what is put under a key or a number that
 * does not come to count is never looked at again.
 */
export function createPartWriter(deps: Deps, multipart: MultipartStorage, upload: UploadRow): PartWriter {
	const { id, size_bytes: sizeBytes } = upload;
	const partBytes = partBytesOf(sizeBytes, multipart.minPartBytes);
	let at = positionOf(upload);
	/** Where the piece begins: parts on their way are behind it. */
	let pieceStart = at.arrivedBytes - at.tailBytes;
	let piece: Piece | null = null;
	let sending: Promise<void> = Promise.resolve();
	let failure: { error: unknown } | null = null;

	async function add(bytes: Buffer | null): Promise<void> {
		if (failure !== null) throw failure.error;
		for (let rest = bytes ?? Buffer.alloc(0); rest.length > 0; ) {
			piece ??= await openPiece();
			const copied = rest.copy(piece.buffer, piece.filledBytes);
			// tus lets no more through than was announced.
			if (copied === 0) throw new AppError('UPLOAD_TOO_LARGE');
			piece.filledBytes += copied;
			rest = rest.subarray(copied);
			if (piece.filledBytes === piece.buffer.length && !isLast(piece)) await sendPiece();
		}
		if (piece !== null && memory.isWanted() && performance.now() - piece.since > turnMs) await layDown();
	}

	async function end(): Promise<number> {
		await sending;
		if (piece !== null && isLast(piece)) {
			if (at.multipartId === null) await storeWhole(piece);
			else await storePart(piece);
		}
		await layDown();
		return at.arrivedBytes;
	}

	const isLast = (of: Piece) => pieceStart + of.filledBytes === sizeBytes;

	async function openPiece(): Promise<Piece> {
		const length = Math.min(partBytes, sizeBytes - pieceStart);
		await memory.take(length);
		const opened = { buffer: Buffer.allocUnsafeSlow(length), filledBytes: 0, since: performance.now() };
		// Behind a part that is on its way there is no tail: the part has it in it.
		if (at.tailKey === null || pieceStart !== at.arrivedBytes - at.tailBytes) return opened;
		try {
			await fillFromTail(opened, at.tailKey);
		} catch (error) {
			memory.giveBack(length);
			throw error;
		}
		return opened;
	}

	async function fillFromTail(into: Piece, key: string): Promise<void> {
		for await (const chunk of await deps.storage.read(key))
			into.filledBytes += (chunk as Buffer).copy(into.buffer, into.filledBytes);
		if (into.filledBytes !== at.tailBytes) throw new PartsGoneError(`The tail ${key} has ${into.filledBytes} bytes.`);
	}

	/** One part goes out while the next gathers. */
	async function sendPiece(): Promise<void> {
		await sending;
		const full = letGo();
		if (full === null) return;
		pieceStart += full.filledBytes;
		sending = storePart(full).finally(() => memory.giveBack(full.buffer.length));
		sending.catch((error: unknown) => {
			failure = { error };
		});
	}

	/** Makes safe what is too little for a part, and gives its memory back. */
	async function layDown(): Promise<void> {
		await sending;
		const rest = piece;
		if (rest !== null && pieceStart + rest.filledBytes > at.arrivedBytes) await storeTail(rest);
		close();
	}

	async function storePart(full: Piece): Promise<void> {
		at.multipartId ??= await beginMultipart();
		const number = await queries.takePartNumber(deps.db, id);
		if (number === undefined) throw new AppError('UPLOAD_OFFSET');
		if (number > lastPartNumber) throw new PartsGoneError('All numbers of parts are used up.');
		const bytes = full.buffer.subarray(0, full.filledBytes);
		const etag = await multipart.putPart(at.storageKey, at.multipartId, number, bytes);
		const arrivedBytes = at.arrivedBytes - at.tailBytes + bytes.length;
		const part = { uploadId: id, number, sizeBytes: bytes.length, etag };
		if (!(await moveOn({ arrivedBytes, tailKey: null, tailBytes: 0 }, part))) throw new AppError('UPLOAD_OFFSET');
	}

	async function beginMultipart(): Promise<string> {
		const handle = await multipart.begin(at.storageKey);
		if (await queries.moveUploadOn(deps.db, id, at, { multipart_id: handle })) return handle;
		await multipart.abort(at.storageKey, handle);
		throw new AppError('UPLOAD_OFFSET');
	}

	/** A file that fits into one part takes the key under which it came in: a late one has another. */
	async function storeWhole(whole: Piece): Promise<void> {
		const storageKey = await newFileKey(deps, upload.owner_id, upload.path, upload.name);
		await deps.storage.put(storageKey, whole.buffer.subarray(0, whole.filledBytes));
		const to = { arrivedBytes: sizeBytes, storageKey, tailKey: null, tailBytes: 0 };
		if (!(await moveOn(to))) await giveUp(storageKey);
	}

	async function storeTail(rest: Piece): Promise<void> {
		const tailKey = `uploads/${id}/${newId()}`;
		await deps.storage.put(tailKey, rest.buffer.subarray(0, rest.filledBytes));
		const to = { arrivedBytes: pieceStart + rest.filledBytes, tailKey, tailBytes: rest.filledBytes };
		if (!(await moveOn(to))) await giveUp(tailKey);
	}

	/** @returns false when the upload does not stand any more where this writer left it */
	async function moveOn(
		change: Partial<queries.UploadPosition>,
		part?: Parameters<typeof queries.insertPart>[1],
	): Promise<boolean> {
		const from = at;
		const to = { ...from, ...change };
		const isMoved = await inTransaction(deps.db, async (tx) => {
			const row = {
				arrived_bytes: to.arrivedBytes,
				storage_key: to.storageKey,
				tail_key: to.tailKey,
				tail_bytes: to.tailBytes,
			};
			if (!(await queries.moveUploadOn(tx, id, from, row))) return false;
			if (part !== undefined) await queries.insertPart(tx, part);
			return true;
		});
		if (!isMoved) return false;
		at = to;
		// Only now: until here the old tail was what counted.
		if (from.tailKey !== null) await removeOrLeaveBehind(deps, [from.tailKey]);
		return true;
	}

	async function giveUp(key: string): Promise<never> {
		await removeOrLeaveBehind(deps, [key]);
		throw new AppError('UPLOAD_OFFSET');
	}

	function letGo(): Piece | null {
		const held = piece;
		piece = null;
		return held;
	}

	function close(): void {
		const held = letGo();
		if (held !== null) memory.giveBack(held.buffer.length);
	}

	return { add, end, close, position: () => at };
}
