import { createHash } from 'node:crypto';
import type { StoredBytes } from './storage.ts';

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
