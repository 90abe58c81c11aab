import { toAsciiDigits } from '#shared/digits.ts';

/** A link that writes to an address, whatever stands in it. Source: RFC 6068, section 2. */
export function mailHref(email: string): string {
	return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

/** Figures and what groups them. */
const phonePattern = /\+?\(?\d[\d\s().\p{Pd}]*/gu;
/** Between two numbers, or of codes that a phone would dial along. */
const ambiguousPattern = /[,;/&|#*]/u;

/**
 * A link that rings the one number in a text, in figures of any writing; null where there is none, or more than one.
 * Source: RFC 3966, section 3; lengths: ITU-T E.164, and numbers of a country by the longest Indian ones.
 */
export function phoneHref(phone: string): string | null {
	const text = toAsciiDigits(phone.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
	const [found, ...more] = text.match(phonePattern) ?? [];
	if (found === undefined || more.length > 0 || ambiguousPattern.test(text)) return null;
	const isInternational = found.startsWith('+');
	// Dialled within the country alone: +44 (0)20 is +44 20.
	const digits = (isInternational ? found.replace(/\(0\)/u, '') : found).replace(/\D/gu, '');
	const longest = isInternational || digits.startsWith('00') ? 15 : digits.startsWith('91') ? 12 : 11;
	if (digits.length < 3 || digits.length > longest) return null;
	return `tel:${isInternational ? '+' : ''}${digits}`;
}
