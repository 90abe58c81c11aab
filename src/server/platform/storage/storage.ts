import type { Readable } from 'node:stream';

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

/** Where bytes live. A key names whole, safe bytes or nothing: half a file is never seen under its key. */
export interface Storage {
	/** Writes bytes under a new key; they are safe on the disk when this returns. */
	put(key: string, bytes: Buffer): Promise<StoredBytes>;
	/** Moves a finished local file under a new key, safe when this returns. Done again after a cut-off, it finds the bytes there already. */
	adopt(key: string, localFile: string): Promise<StoredBytes>;
	/** @throws Error with code ENOENT when there is nothing under the key. */
	read(key: string, range?: ByteRange): Promise<Readable>;
	/** The size under a key in bytes, or null. */
	findSize(key: string): Promise<number | null>;
	/** Removes bytes; harmless when there are none. */
	remove(key: string): Promise<void>;
	/** Every key with its age, for finding leftovers. */
	list(): AsyncIterable<{ key: string; modifiedAt: Date }>;
	/** @throws Error when bytes cannot be written now. */
	check(): Promise<void>;
	/** Bytes that may still be written before the reserve is touched. */
	freeBytes(): Promise<number>;
}

const segmentMaxLength = 60;

/** One piece of a storage key: letters, digits, dot, dash, underscore and @ only, short, never '.', '..' or empty. */
export function safeSegment(text: string): string {
	const safe = text
		.normalize('NFKD')
		.replace(/[^\w.@-]+/gu, '-')
		.replace(/^[.-]+|[.-]+$/gu, '');
	return safe.slice(-segmentMaxLength) || 'file';
}
