const bytesPerMb = 1024 * 1024;

/** Formats bytes as MB for a text field. Returns an empty text for null (no limit). */
export function formatMegabytes(bytes: number | null): string {
	return bytes === null ? '' : String(Math.round((bytes / bytesPerMb) * 100) / 100);
}

/** Parses MB to bytes. Returns null for an empty text and undefined for an invalid size. */
export function parseMegabytes(typed: string): number | null | undefined {
	if (typed.trim() === '') return null;
	const bytes = Math.round(Number(typed) * bytesPerMb);
	return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/** Returns how much of a quota is used, in whole percent; undefined without a quota. */
export function percentUsed(usedBytes: number, quotaBytes: number | null): number | undefined {
	if (quotaBytes === null) return undefined;
	return quotaBytes === 0 ? 100 : Math.round((usedBytes / quotaBytes) * 100);
}
