import { toAsciiDigits } from '#shared/numbers.ts';

/** Returns a mailto link to an address with any characters. Source: RFC 6068, section 2. */
export function mailHref(email: string): string {
	return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

/** Digits with grouping characters. */
const phonePattern = /\+?\(?\d[\d\s().\p{Pd}]*/gu;
/** Separators of two numbers, or control codes that a phone would dial. */
const ambiguousPattern = /[,;/&|#*]/u;

/**
 * Returns a link that calls the only phone number in a text, in digits of any script; null if there is none, or more
 * than one. Source: RFC 3966, section 3; lengths: ITU-T E.164, and the longest Indian number for national ones.
 */
export function phoneHref(phone: string): string | null {
	const text = toAsciiDigits(phone.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
	const [number, ...more] = text.match(phonePattern) ?? [];
	if (number === undefined || more.length > 0 || ambiguousPattern.test(text)) return null;
	const isInternational = number.startsWith('+');
	// A zero in brackets is dialled within the country only: +44 (0)20 is +44 20.
	const digits = (isInternational ? number.replace(/\(0\)/u, '') : number).replace(/\D/gu, '');
	const longest = isInternational || digits.startsWith('00') ? 15 : digits.startsWith('91') ? 12 : 11;
	if (digits.length < 3 || digits.length > longest) return null;
	return `tel:${isInternational ? '+' : ''}${digits}`;
}
