import type { ByteRange } from '#shared/byte-ranges.ts';

/** Chunks are small, because a failed chunk is downloaded again and range requests read whole chunks. */
export const chunkSizeBytes = 1024 * 1024;

export function chunkRange(index: number, sizeBytes: number): ByteRange | undefined {
	const start = index * chunkSizeBytes;
	return start < sizeBytes ? { start, end: Math.min(start + chunkSizeBytes, sizeBytes) - 1 } : undefined;
}

export function countChunks(sizeBytes: number): number {
	return Math.ceil(sizeBytes / chunkSizeBytes);
}

/** Splits a byte range by chunk. `from` and `to` are offsets in the chunk; `to` is excluded. */
export function splitRangeByChunk({ start, end }: ByteRange): Array<{ index: number; from: number; to: number }> {
	const first = Math.floor(start / chunkSizeBytes);
	const last = Math.floor(end / chunkSizeBytes);
	return Array.from({ length: last - first + 1 }, (_, step) => {
		const index = first + step;
		const offset = index * chunkSizeBytes;
		return { index, from: Math.max(start - offset, 0), to: Math.min(end - offset + 1, chunkSizeBytes) };
	});
}
