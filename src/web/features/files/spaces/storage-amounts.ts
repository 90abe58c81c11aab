import { formatSize } from '#web/platform/formats/format.ts';

const bytesPerMb = 1024 * 1024;
const bytesPerGb = 1024 * bytesPerMb;

/** The size of files as everywhere, in one piece: a line does not end between the number and its unit. */
export function sizeText(bytes: number): string {
	return formatSize(bytes).replace(' ', '\u00a0');
}

/** The size of a disk or a quota: in GB from 1 GB, below that as the size of files. */
export function capacityText(bytes: number): string {
	return bytes < bytesPerGb ? sizeText(bytes) : `${(bytes / bytesPerGb).toFixed(2)}\u00a0GB`;
}

/** Bytes as a field shows them: MB, nothing where there is no limit. */
export function formatMegabytes(bytes: number | null): string {
	return bytes === null ? '' : String(Math.round((bytes / bytesPerMb) * 100) / 100);
}

/** Bytes of what was typed in MB; null for nothing, undefined for what is no size. */
export function parseMegabytes(typed: string): number | null | undefined {
	if (typed.trim() === '') return null;
	const bytes = Math.round(Number(typed) * bytesPerMb);
	return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/** A whole number between two others; undefined for anything else. */
export function parseWholeNumber(typed: string, least: number, most: number): number | undefined {
	const number = typed.trim() === '' ? Number.NaN : Number(typed);
	return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

/** How much of a quota is used, in whole percent; undefined without one. */
export function percentUsed(usedBytes: number, quotaBytes: number | null): number | undefined {
	if (quotaBytes === null) return undefined;
	return quotaBytes === 0 ? 100 : Math.round((usedBytes / quotaBytes) * 100);
}
