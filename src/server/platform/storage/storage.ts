import type { Readable } from 'node:stream';
import type { ByteRange } from '#shared/byte-ranges.ts';
import { AppError } from '../app-error.ts';
import { describeError, type Log } from '../log.ts';

export interface StoredBytes {
	sizeBytes: number;
	sha256: string;
}

/** Space of a file system in bytes; both are Infinity for an S3 store. */
export interface DiskSpace {
	/** Bytes that a process without privileges can still write. */
	freeBytes: number;
	totalBytes: number;
}

export const unlimitedSpace: DiskSpace = { freeBytes: Number.POSITIVE_INFINITY, totalBytes: Number.POSITIVE_INFINITY };

interface NewObject {
	key: string;
	bytes: Buffer;
}

export interface StoredPart {
	number: number;
	etag: string;
}

/** Uploads in parts. A part is durable when `putPart` returns; the key does not exist before `complete`. */
export interface MultipartStorage {
	/** Minimum size of all parts except the last. */
	readonly minPartBytes: number;
	/** @returns the id of the upload for the other functions; any process may use it */
	start(key: string): Promise<string>;
	/** Stores a part. Numbers: 1 to 10,000, gaps are allowed; a repeated number replaces its part. @returns the ETag */
	putPart(key: string, handle: string, number: number, bytes: Buffer): Promise<string>;
	/**
	 * Joins the parts under the key; may be repeated.
	 * @returns size and hash of the bytes, which are read back unless this process has sent all parts
	 */
	complete(key: string, handle: string, parts: readonly StoredPart[]): Promise<StoredBytes>;
	/** Deletes the parts; does nothing when there are none. */
	abort(key: string, handle: string): Promise<void>;
	/** Lists uploads that were neither completed nor aborted, to find orphaned ones. */
	listPending(): AsyncIterable<{ key: string; handle: string; startedAt: Date }>;
}

/** Stores bytes under keys, completely and durably or not at all. All functions may throw STORAGE_UNAVAILABLE. */
export interface Storage {
	/** Stores bytes under a new key; they are durable when the promise resolves. */
	put(key: string, bytes: Buffer): Promise<StoredBytes>;
	/**
	 * Stores several objects, with one sync for each folder; each may fail alone. The keys must be random, and no row may
	 * refer to them yet, because after a crash an incomplete object may exist under its key.
	 */
	putMany(objects: readonly NewObject[]): Promise<Array<PromiseSettledResult<StoredBytes>>>;
	/**
	 * Moves a local file to a new key, durably. May be repeated after an interruption.
	 * @throws AppError UPLOAD_OFFSET when the file has another size than `sizeBytes`; it is not moved then
	 */
	adopt(key: string, localFile: string, sizeBytes?: number): Promise<StoredBytes>;
	/**
	 * `range`: only for keys whose bytes never change. The stream fails when fewer bytes are stored than the range has.
	 * @throws Error with code ENOENT when the key does not exist
	 */
	read(key: string, range?: ByteRange): Promise<Readable>;
	/** Returns the path at which other programs and libraries can read the bytes of a key; null in an S3 store. */
	localPath(key: string): string | null;
	/** Reads all bytes of a key. @throws Error with code ENOENT when it does not exist */
	hash(key: string): Promise<StoredBytes>;
	findSize(key: string): Promise<number | null>;
	/** Deletes the keys that exist. After an error some may be deleted; a repeated call deletes the rest. */
	remove(keys: readonly string[]): Promise<void>;
	/** Lists all keys with the time of their last change, to find orphaned objects. */
	list(): AsyncIterable<{ key: string; modifiedAt: Date }>;
	/** @throws Error when bytes cannot be stored now */
	check(): Promise<void>;
	/** Returns false while a store answers no request, so that all calls fail at once; always true for a folder. */
	isAnswering(): boolean;
	/** Returns the space of the disk, including the reserves of free-space.ts. */
	getDiskSpace(): Promise<DiskSpace>;
	/** Uploads in parts; null if uploads are collected in a local file instead. */
	readonly multipart: MultipartStorage | null;
	close(): Promise<void>;
}

const segmentMaxLength = 60;

/** For `.catch`: returns null for a file that does not exist; rethrows any other error. */
export function ignoreMissingFile(error: NodeJS.ErrnoException): null {
	if (error.code === 'ENOENT') return null;
	throw error;
}

/** Converts text to a short segment of a storage key: letters, digits and `.-_@`; never '.', '..' or empty. */
export function toKeySegment(text: string): string {
	const safe = text
		.normalize('NFKD')
		.replace(/[^\w.@-]+/gu, '-')
		.replace(/^[.-]+|[.-]+$/gu, '');
	return safe.slice(-segmentMaxLength) || 'file';
}

/** Keys and ids of the bytes that an upload may have stored, for use after its row was deleted. */
export interface UploadKeys {
	id: string;
	storageKey: string;
	multipartId?: string | null;
	tailKey?: string | null;
}

/** Requires the expected size, if there is one. @throws AppError UPLOAD_OFFSET */
export function requireSize<T extends { sizeBytes: number }>(file: T, expectedBytes = file.sizeBytes): T {
	if (file.sizeBytes === expectedBytes) return file;
	const cause = new Error(`The file has ${file.sizeBytes} bytes instead of ${expectedBytes}.`);
	throw new AppError('UPLOAD_OFFSET', { cause });
}

/** Deletes bytes to which no row refers. Never throws, because maintenance deletes the remaining bytes. */
export async function tryRemoveMany({ storage, log }: { storage: Storage; log: Log }, keys: readonly string[]) {
	try {
		await storage.remove(keys);
	} catch (error) {
		log.info(
			{ keys: keys.length, why: describeError(error) },
			'bytes without rows not deleted: maintenance deletes them',
		);
	}
}
