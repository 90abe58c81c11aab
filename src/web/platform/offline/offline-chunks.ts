/** Chunks are small, because a failed chunk is downloaded again and range requests read whole chunks. */
export const chunkSizeBytes = 1024 * 1024;

export interface ByteRange {
	start: number;
	end: number;
}

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

/** Parses a `Range` header (RFC 9110, 14.1.2). Returns null for an invalid header or several ranges. */
export function parseRangeHeader(header: string | null, sizeBytes: number): ByteRange | 'unsatisfiable' | null {
	const groups = /^bytes=(?<first>\d*)-(?<last>\d*)$/u.exec(header?.trim() ?? '')?.groups;
	if (groups === undefined || (groups.first === '' && groups.last === '')) return null;
	if (groups.first === '') {
		const suffixBytes = Number(groups.last);
		return suffixBytes === 0 || sizeBytes === 0
			? 'unsatisfiable'
			: { start: Math.max(0, sizeBytes - suffixBytes), end: sizeBytes - 1 };
	}
	const start = Number(groups.first);
	const end = groups.last === '' ? sizeBytes - 1 : Math.min(Number(groups.last), sizeBytes - 1);
	if (start >= sizeBytes) return 'unsatisfiable';
	return end < start ? null : { start, end };
}
