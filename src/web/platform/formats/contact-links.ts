import { toAsciiDigits } from '#shared/numbers.ts';

/** Returns a `mailto:` link with escaped special characters. Source: RFC 6068, section 2. */
export function mailHref(email: string): string {
	return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

const phonePattern = /\+?\(?\d[\d\s().\p{Pd}]*/gu;
/** Characters that separate two numbers, or that a phone would dial as part of a code. */
const ambiguousPattern = /[,;/&|#*]/u;

/**
 * Returns a `tel:` link (RFC 3966, section 3); null unless the text contains exactly one phone number. The maximum
 * lengths are those of ITU-T E.164 and of the longest Indian national number.
 */
export function phoneHref(phone: string): string | null {
	const text = toAsciiDigits(phone.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
	const [number, ...more] = text.match(phonePattern) ?? [];
	if (number === undefined || more.length > 0 || ambiguousPattern.test(text)) return null;
	const isInternational = number.startsWith('+');
	// A zero in brackets is only dialled within the country: +44 (0)20 means +44 20.
	const digits = (isInternational ? number.replace(/\(0\)/u, '') : number).replace(/\D/gu, '');
	const longest = isInternational || digits.startsWith('00') ? 15 : digits.startsWith('91') ? 12 : 11;
	if (digits.length < 3 || digits.length > longest) return null;
	return `tel:${isInternational ? '+' : ''}${digits}`;
}
