import { devanagariToAsciiDigits } from '#shared/digits.ts';

/** The page that somebody typed, in digits of either script; null for what is no page of the document. */
export function parsePageNumber(text: string, pageCount: number): number | null {
	const digits = devanagariToAsciiDigits(text.trim());
	if (!/^\d{1,7}$/u.test(digits)) return null;
	const page = Number(digits);
	return page >= 1 && page <= pageCount ? page : null;
}

/** The same, but only where a further digit would make no page of it: whoever types it is done. */
export function parseFinishedPageNumber(text: string, pageCount: number): number | null {
	const page = parsePageNumber(text, pageCount);
	return page !== null && page * 10 > pageCount ? page : null;
}
