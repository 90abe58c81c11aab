/** First and last byte, both included. */
export interface ByteRange {
	start: number;
	end: number;
}

/** Parses a `Range` header (RFC 9110, section 14.1.2). @returns null for no, several or an invalid range */
export function parseByteRange(
	header: string | null | undefined,
	sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
	const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/u.exec(header?.trim() ?? '') ?? [];
	if (first === '' && last === '') return null;
	// Without a first byte, `last` is the number of bytes at the end of the file.
	const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
	const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
	if (start >= sizeBytes) return 'unsatisfiable';
	return end < start ? null : { start, end };
}
