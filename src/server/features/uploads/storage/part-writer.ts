import { AppError } from '../../../platform/app-error.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import type { MultipartStorage } from '../../../platform/storage/storage.ts';
import { tryRemoveMany } from '../../../platform/storage/try-remove.ts';
import { newStorageKey } from '../../files/index.ts';
import type { UploadRow } from '../uploads.queries.ts';
import { createMemoryBudget } from './memory-budget.ts';
import * as queries from './storage.queries.ts';

const mebibyte = 1024 * 1024;
const defaultPartBytes = 8 * mebibyte;
/** Source: Amazon S3 multipart upload limits. */
const lastPartNumber = 10_000;
/** Half of the numbers are left for tries that came to nothing. */
const partsMax = lastPartNumber / 2;
/** All uploads of this process together. */
const memoryBudget = createMemoryBudget(16 * defaultPartBytes);
/** While others wait, nobody keeps memory for longer: what has come in is laid down. */
const bufferMaxMs = 10_000;

/** Parts that the upload counts on are not on the store any more, or cannot be stored: it has to begin anew. */
export class PartsMissingError extends Error {
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
interface PendingPart {
	buffer: Buffer;
	filledBytes: number;
	since: number;
}

/** All parts of an upload but the last are of this size: some stores want it so. */
export function partBytesOf(sizeBytes: number, minPartBytes: number): number {
	const needed = Math.ceil(sizeBytes / partsMax / mebibyte) * mebibyte;
	return Math.max(defaultPartBytes, minPartBytes, needed);
}

export function uploadPositionOf(upload: UploadRow): queries.UploadPosition {
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
	let savedPosition = uploadPositionOf(upload);
	/** Where the piece begins: parts on their way are behind it. */
	let pendingStart = savedPosition.arrivedBytes - savedPosition.tailBytes;
	let pending: PendingPart | null = null;
	let sending: Promise<void> = Promise.resolve();
	let failure: { error: unknown } | null = null;

	async function add(bytes: Buffer | null): Promise<void> {
		if (failure !== null) throw failure.error;
		for (let rest = bytes ?? Buffer.alloc(0); rest.length > 0; ) {
			pending ??= await openPending();
			const copied = rest.copy(pending.buffer, pending.filledBytes);
			// tus lets no more through than was announced.
			if (copied === 0) throw new AppError('UPLOAD_TOO_LARGE');
			pending.filledBytes += copied;
			rest = rest.subarray(copied);
			if (pending.filledBytes === pending.buffer.length && !isLast(pending)) await sendPending();
		}
		if (pending !== null && memoryBudget.hasWaiters() && performance.now() - pending.since > bufferMaxMs)
			await flushPending();
	}

	async function end(): Promise<number> {
		await sending;
		if (pending !== null && isLast(pending)) {
			if (savedPosition.multipartId === null) await storeWhole(pending);
			else await storePart(pending);
		}
		await flushPending();
		return savedPosition.arrivedBytes;
	}

	const isLast = (of: PendingPart) => pendingStart + of.filledBytes === sizeBytes;

	async function openPending(): Promise<PendingPart> {
		const length = Math.min(partBytes, sizeBytes - pendingStart);
		await memoryBudget.acquire(length);
		const opened = { buffer: Buffer.allocUnsafeSlow(length), filledBytes: 0, since: performance.now() };
		// Behind a part that is on its way there is no tail: the part has it in it.
		if (savedPosition.tailKey === null || pendingStart !== savedPosition.arrivedBytes - savedPosition.tailBytes)
			return opened;
		try {
			await fillFromTail(opened, savedPosition.tailKey);
		} catch (error) {
			memoryBudget.release(length);
			throw error;
		}
		return opened;
	}

	async function fillFromTail(into: PendingPart, key: string): Promise<void> {
		for await (const chunk of await deps.storage.read(key))
			into.filledBytes += (chunk as Buffer).copy(into.buffer, into.filledBytes);
		if (into.filledBytes !== savedPosition.tailBytes)
			throw new PartsMissingError(`The tail ${key} has ${into.filledBytes} bytes.`);
	}

	/** One part goes out while the next gathers. */
	async function sendPending(): Promise<void> {
		await sending;
		const full = takePending();
		if (full === null) return;
		pendingStart += full.filledBytes;
		sending = storePart(full).finally(() => memoryBudget.release(full.buffer.length));
		sending.catch((error: unknown) => {
			failure = { error };
		});
	}

	/** Makes safe what is too little for a part, and gives its memory back. */
	async function flushPending(): Promise<void> {
		await sending;
		const rest = pending;
		if (rest !== null && pendingStart + rest.filledBytes > savedPosition.arrivedBytes) await storeTail(rest);
		close();
	}

	async function storePart(full: PendingPart): Promise<void> {
		savedPosition.multipartId ??= await beginMultipart();
		const number = await queries.allocatePartNumber(deps.db, id);
		if (number === undefined) throw new AppError('UPLOAD_OFFSET');
		if (number > lastPartNumber) throw new PartsMissingError('All numbers of parts are used up.');
		const bytes = full.buffer.subarray(0, full.filledBytes);
		const etag = await multipart.putPart(savedPosition.storageKey, savedPosition.multipartId, number, bytes);
		const arrivedBytes = savedPosition.arrivedBytes - savedPosition.tailBytes + bytes.length;
		const part = { uploadId: id, number, sizeBytes: bytes.length, etag };
		if (!(await savePosition({ arrivedBytes, tailKey: null, tailBytes: 0 }, part))) throw new AppError('UPLOAD_OFFSET');
	}

	async function beginMultipart(): Promise<string> {
		const handle = await multipart.start(savedPosition.storageKey);
		if (await queries.advanceUpload(deps.db, id, savedPosition, { multipart_id: handle })) return handle;
		await multipart.abort(savedPosition.storageKey, handle);
		throw new AppError('UPLOAD_OFFSET');
	}

	/** A file that fits into one part takes the key under which it came in: a late one has another. */
	async function storeWhole(whole: PendingPart): Promise<void> {
		const storageKey = await newStorageKey(deps, upload.owner_id, upload.path, upload.name);
		await deps.storage.put(storageKey, whole.buffer.subarray(0, whole.filledBytes));
		const to = { arrivedBytes: sizeBytes, storageKey, tailKey: null, tailBytes: 0 };
		if (!(await savePosition(to))) await discardObject(storageKey);
	}

	async function storeTail(rest: PendingPart): Promise<void> {
		const tailKey = `uploads/${id}/${newId()}`;
		await deps.storage.put(tailKey, rest.buffer.subarray(0, rest.filledBytes));
		const to = { arrivedBytes: pendingStart + rest.filledBytes, tailKey, tailBytes: rest.filledBytes };
		if (!(await savePosition(to))) await discardObject(tailKey);
	}

	/** @returns false when the upload does not stand any more where this writer left it */
	async function savePosition(
		change: Partial<queries.UploadPosition>,
		part?: Parameters<typeof queries.insertPart>[1],
	): Promise<boolean> {
		const from = savedPosition;
		const to = { ...from, ...change };
		const isMoved = await inTransaction(deps.db, async (tx) => {
			const row = {
				arrived_bytes: to.arrivedBytes,
				storage_key: to.storageKey,
				tail_key: to.tailKey,
				tail_bytes: to.tailBytes,
			};
			if (!(await queries.advanceUpload(tx, id, from, row))) return false;
			if (part !== undefined) await queries.insertPart(tx, part);
			return true;
		});
		if (!isMoved) return false;
		savedPosition = to;
		// Only now: until here the old tail was what counted.
		if (from.tailKey !== null) await tryRemoveMany(deps, [from.tailKey]);
		return true;
	}

	async function discardObject(key: string): Promise<never> {
		await tryRemoveMany(deps, [key]);
		throw new AppError('UPLOAD_OFFSET');
	}

	function takePending(): PendingPart | null {
		const held = pending;
		pending = null;
		return held;
	}

	function close(): void {
		const held = takePending();
		if (held !== null) memoryBudget.release(held.buffer.length);
	}

	return { add, end, close, position: () => savedPosition };
}
