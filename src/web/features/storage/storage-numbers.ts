const bytesPerMb = 1024 * 1024;

/** Bytes as a field shows them: MB, nothing where there is no limit. */
export function megabytesOf(bytes: number | null): string {
	return bytes === null ? '' : String(Math.round((bytes / bytesPerMb) * 100) / 100);
}

/** Bytes of what was typed in MB; null for nothing, undefined for what is no size. */
export function bytesOf(typed: string): number | null | undefined {
	if (typed.trim() === '') return null;
	const bytes = Math.round(Number(typed) * bytesPerMb);
	return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/** A whole number between two others; undefined for anything else. */
export function wholeOf(typed: string, least: number, most: number): number | undefined {
	const number = typed.trim() === '' ? Number.NaN : Number(typed);
	return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

/** How much of a quota is used, in whole percent; undefined without one. */
export function percentOf(usedBytes: number, quotaBytes: number | null): number | undefined {
	if (quotaBytes === null) return undefined;
	return quotaBytes === 0 ? 100 : Math.round((usedBytes / quotaBytes) * 100);
}
