import { withLatinDigits } from '#contract/core/digits.ts';

/** The page that somebody typed, in digits of either script; null for what is no page of the document. */
export function readPageNumber(text: string, pageCount: number): number | null {
	const digits = withLatinDigits(text.trim());
	if (!/^\d{1,7}$/u.test(digits)) return null;
	const page = Number(digits);
	return page >= 1 && page <= pageCount ? page : null;
}

/** The same, but only where a further digit would make no page of it: whoever types it is done. */
export function readWholeNumber(text: string, pageCount: number): number | null {
	const page = readPageNumber(text, pageCount);
	return page !== null && page * 10 > pageCount ? page : null;
}
