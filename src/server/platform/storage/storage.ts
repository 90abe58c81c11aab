import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
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

/** A piece of a large file that the store has taken. */
export interface StoredPart {
	number: number;
	etag: string;
}

/** An upload in pieces that was begun and neither completed nor aborted. */
export interface PendingMultipart {
	key: string;
	handle: string;
	startedAt: Date;
}

/** Large bytes in pieces, each safe when its call returns; nothing is seen under the key before they are put together. */
export interface MultipartStorage {
	/** Smallest size of every part but the last. */
	readonly minPartBytes: number;
	/** @returns the handle by which the other calls know these pieces, in any process */
	start(key: string): Promise<string>;
	/** Numbers are 1 to 10,000; gaps are allowed, and the same number again replaces the piece. @returns its etag */
	putPart(key: string, handle: string, number: number, bytes: Buffer): Promise<string>;
	/**
	 * Puts the named parts, in ascending order, together under the key. Done again after a cut-off, it finds them there
	 * already. @returns size and hash, read back
	 */
	complete(key: string, handle: string, parts: readonly StoredPart[]): Promise<StoredBytes>;
	/** Drops the pieces; harmless when there are none. */
	abort(key: string, handle: string): Promise<void>;
	/** Everything begun and not ended, for finding leftovers. */
	listPending(): AsyncIterable<PendingMultipart>;
}

/**
 * Where bytes live. A key names whole, safe bytes or nothing: half a file is never seen under its key. Any call throws
 * AppError STORAGE_UNAVAILABLE where the bytes are kept elsewhere and cannot be reached now.
 */
export interface Storage {
	/** Writes bytes under a new key; they are safe when this returns. */
	put(key: string, bytes: Buffer): Promise<StoredBytes>;
	/** Moves a finished local file under a new key, safe when this returns. Done again after a cut-off, it finds the bytes there already. */
	adopt(key: string, localFile: string): Promise<StoredBytes>;
	/** @throws Error with code ENOENT when there is nothing under the key. */
	read(key: string, range?: ByteRange): Promise<Readable>;
	/** The size under a key in bytes, or null. */
	findSize(key: string): Promise<number | null>;
	/** Bytes of one key under a new one too. @throws Error with code ENOENT when there is nothing under the first. */
	copy(fromKey: string, toKey: string): Promise<void>;
	/** Removes bytes; harmless when there are none. */
	remove(key: string): Promise<void>;
	/** The same for any number. After an error some may be gone; done again, it removes the rest. */
	removeMany(keys: readonly string[]): Promise<void>;
	/** Every key with its age, for finding leftovers. */
	list(): AsyncIterable<{ key: string; modifiedAt: Date }>;
	/** @throws Error when bytes cannot be written now. */
	check(): Promise<void>;
	/** The space on the disk that the bytes are on, the reserves of free-space.ts included. */
	getDiskSpace(): Promise<DiskSpace>;
	/** Large bytes that come in pieces; null where an upload gathers in a local file first. */
	readonly multipart: MultipartStorage | null;
	/** Lets go of connections. */
	close(): Promise<void>;
}

const segmentMaxLength = 60;

/** One piece of a storage key: letters, digits, dot, dash, underscore and @ only, short, never '.', '..' or empty. */
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

/** Where bytes of an upload may lie, for when its row is gone. */
export interface UploadKeys {
	id: string;
	storageKey: string;
	multipartId?: string | null;
	tailKey?: string | null;
}
