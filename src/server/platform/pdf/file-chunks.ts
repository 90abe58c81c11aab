import { readSync } from 'node:fs';

const chunkBytes = 1 << 20;

/** Reads the bytes from `start` to before `end`. */
export function* readChunks(file: number, start: number, end: number, maxBytes = chunkBytes): Generator<Buffer> {
	for (let position = start; position < end; ) {
		const chunk = Buffer.alloc(Math.min(maxBytes, end - position));
		const read = readSync(file, chunk, 0, chunk.length, position);
		if (read === 0) throw new Error('The file is shorter than expected.');
		yield chunk.subarray(0, read);
		position += read;
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
		const [chunk] = readChunks(file, start, Math.min(end, start + chunkBytes + overlap), chunkBytes + overlap);
		if (chunk?.includes(marker))
			for (const match of chunk.toString('latin1').matchAll(pattern)) found.set(start + match.index, Number(match[1]));
	}
	return [...found].map(([position, index]) => ({ position, index })).sort((a, b) => a.position - b.position);
}
