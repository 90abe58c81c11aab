import { plainFigures } from '#contract/core/figures.ts';

/** A link that writes to an address, whatever stands in it. Source: RFC 6068, section 2. */
export function mailHref(email: string): string {
	return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

/** Figures and what groups them. */
const number = /\+?\(?\d[\d\s().\p{Pd}]*/gu;
/** Between two numbers, or of codes that a phone would dial along. */
const unfit = /[,;/&|#*]/u;

/**
 * A link that rings the one number in a text, in figures of any writing; null where there is none, or more than one.
 * Source: RFC 3966, section 3; lengths: ITU-T E.164, and numbers of a country by the longest Indian ones.
 */
export function phoneHref(phone: string): string | null {
	const text = plainFigures(phone.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
	const [found, ...more] = text.match(number) ?? [];
	if (found === undefined || more.length > 0 || unfit.test(text)) return null;
	const isForeign = found.startsWith('+');
	// Dialled within the country alone: +44 (0)20 is +44 20.
	const figures = (isForeign ? found.replace(/\(0\)/u, '') : found).replace(/\D/gu, '');
	const longest = isForeign || figures.startsWith('00') ? 15 : figures.startsWith('91') ? 12 : 11;
	if (figures.length < 3 || figures.length > longest) return null;
	return `tel:${isForeign ? '+' : ''}${figures}`;
}
