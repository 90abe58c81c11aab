import { readSync } from 'node:fs';

export const chunkBytes = 1 << 20;

/** Reads `length` bytes from a position, or fewer at the end of the file. */
export function readAt(file: number, position: number, length: number): Buffer {
	const bytes = Buffer.alloc(length);
	let readBytes = 0;
	// One call may read fewer bytes than requested.
	while (readBytes < length) {
		const count = readSync(file, bytes, readBytes, length - readBytes, position + readBytes);
		if (count === 0) break;
		readBytes += count;
	}
	return bytes.subarray(0, readBytes);
}

/** Like {@link readAt}, but returns text with one character for each byte. */
export function readTextAt(file: number, position: number, length: number): string {
	return readAt(file, position, length).toString('latin1');
}

/** Reads the bytes from `start` to before `end`. */
export function* readChunks(file: number, start: number, end: number): Generator<Buffer> {
	for (let position = start; position < end; ) {
		const chunk = readAt(file, position, Math.min(chunkBytes, end - position));
		if (chunk.length === 0) throw new Error('The file is shorter than expected.');
		yield chunk;
		position += chunk.length;
	}
}

/**
 * Finds each `/MARKER NUMBER ` before the byte `end`. @returns the positions in ascending order, with the numbers
 */
export function findMarkers(file: number, end: number, marker: string): Array<{ position: number; index: number }> {
	const pattern = new RegExp(`/${marker} (\\d+) `, 'gu');
	// A match across two chunks is found in the overlap.
	const overlap = marker.length + 16;
	const found = new Map<number, number>();
	for (let start = 0; start < end; start += chunkBytes) {
		const chunk = readAt(file, start, Math.min(end - start, chunkBytes + overlap));
		if (chunk.includes(marker))
			for (const match of chunk.toString('latin1').matchAll(pattern)) found.set(start + match.index, Number(match[1]));
	}
	return [...found].map(([position, index]) => ({ position, index })).sort((a, b) => a.position - b.position);
}
