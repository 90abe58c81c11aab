import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { describeError, type Log } from '../log.ts';
import type { DiskSpace } from './disk/disk-space.ts';

export interface StoredBytes {
	sizeBytes: number;
	/** Hex. */
	sha256: string;
}

/** First and last byte, both included. */
export interface ByteRange {
	start: number;
	end: number;
}

export interface StoredPart {
	number: number;
	etag: string;
}

/** A multipart upload that was started and neither completed nor aborted. */
interface PendingMultipart {
	key: string;
	handle: string;
	startedAt: Date;
}

/** Uploads in parts. A part is durable when its call returns; nothing is visible under the key before completion. */
export interface MultipartStorage {
	/** Smallest size of every part but the last. */
	readonly minPartBytes: number;
	/** @returns the handle of the upload for the other calls, in any process */
	start(key: string): Promise<string>;
	/** Numbers are 1 to 10,000; gaps are allowed, and a repeated number replaces the part. @returns its etag */
	putPart(key: string, handle: string, number: number, bytes: Buffer): Promise<string>;
	/** Joins the parts, in order, under the key; may be repeated. @returns size and hash, read back */
	complete(key: string, handle: string, parts: readonly StoredPart[]): Promise<StoredBytes>;
	/** Deletes the parts; harmless when there are none. */
	abort(key: string, handle: string): Promise<void>;
	/** Lists all unfinished uploads, to find orphaned ones. */
	listPending(): AsyncIterable<PendingMultipart>;
}

/** Stores bytes under keys, durably and whole or not at all. Any call may throw AppError STORAGE_UNAVAILABLE. */
export interface Storage {
	/** Writes bytes under a new key; they are durable when this returns. */
	put(key: string, bytes: Buffer): Promise<StoredBytes>;
	/** Moves a local file under a new key, durable when this returns. May be repeated after an interruption. */
	adopt(key: string, localFile: string): Promise<StoredBytes>;
	/** @throws Error with code ENOENT when there is nothing under the key. */
	read(key: string, range?: ByteRange): Promise<Readable>;
	/** Returns the size of a key in bytes, or null. */
	findSize(key: string): Promise<number | null>;
	/** Copies the bytes of one key to a new one. @throws Error with code ENOENT when there is nothing under the first. */
	copy(fromKey: string, toKey: string): Promise<void>;
	/** Removes bytes; harmless when there are none. */
	remove(key: string): Promise<void>;
	/** Removes any number of keys. After an error some may be removed; a repeated call removes the rest. */
	removeMany(keys: readonly string[]): Promise<void>;
	/** Lists every key with its age, to find orphaned ones. */
	list(): AsyncIterable<{ key: string; modifiedAt: Date }>;
	/** @throws Error when bytes cannot be written now. */
	check(): Promise<void>;
	/** Returns the space of the disk of the bytes, the reserves of free-space.ts included. */
	getDiskSpace(): Promise<DiskSpace>;
	/** Uploads in parts; null if an upload is collected in a local file first. */
	readonly multipart: MultipartStorage | null;
	close(): Promise<void>;
}

const segmentMaxLength = 60;

/** For `.catch`: null for a file that does not exist; any other error is thrown. */
export function ignoreMissingFile(error: NodeJS.ErrnoException): null {
	if (error.code === 'ENOENT') return null;
	throw error;
}

/** Converts a text to a segment of a storage key: letters, digits, `.-_@`, short, never '.', '..' or empty. */
export function toKeySegment(text: string): string {
	const safe = text
		.normalize('NFKD')
		.replace(/[^\w.@-]+/gu, '-')
		.replace(/^[.-]+|[.-]+$/gu, '');
	return safe.slice(-segmentMaxLength) || 'file';
}

/** Reads bytes to their end. @returns how many there were, and their hash */
export async function hashBytes(
	bytes: AsyncIterable<Buffer>,
	onChunk: (chunk: Buffer) => void = () => {},
): Promise<StoredBytes> {
	const hash = createHash('sha256');
	let sizeBytes = 0;
	for await (const chunk of bytes) {
		hash.update(chunk);
		sizeBytes += chunk.length;
		onChunk(chunk);
	}
	return { sizeBytes, sha256: hash.digest('hex') };
}

/** Keys under which an upload may have bytes, for use after its row was deleted. */
export interface UploadKeys {
	id: string;
	storageKey: string;
	multipartId?: string | null;
	tailKey?: string | null;
}

/** Removes bytes to which no row refers. Never throws: maintenance removes what is left. */
export async function tryRemoveMany(
	{ storage, log }: { storage: Storage; log: Log },
	keys: readonly string[],
): Promise<void> {
	try {
		await storage.removeMany(keys);
	} catch (error) {
		log.info({ keys: keys.length, why: describeError(error) }, 'left for the maintenance');
	}
}
