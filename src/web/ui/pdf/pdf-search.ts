import { withLatinDigits } from '#contract/core/digits.ts';

/** A text as it is compared, with the way back. */
interface Folded {
	text: string;
	/** For each sign of `text`, and for its end, where it stands in the original. */
	from: readonly number[];
}

/** Where something stands in a text: from the first sign to the one after the last. */
export interface TextSpan {
	start: number;
	end: number;
}

/** Signs that look or sound alike to whoever searches: quotes, dashes, chandrabindu and anusvara. */
const alike: Record<string, string> = {
	'‘': "'",
	'’': "'",
	'“': '"',
	'”': '"',
	'–': '-',
	'—': '-',
	'ँ': 'ं',
};
/** Nukta, joiners, soft hyphens and accents: few people type them, and documents differ in them. */
const leftOut = /[\u093c\u200b-\u200d\u00ad\ufeff]|[\u0300-\u036f]/u;

/**
 * Finds all places of what is searched for: regardless of case, accents, nuktas, joiners, the kind of digits and quotes;
 * white space of any kind and length is one space.
 */
export function findInText(text: string, query: string, max = Number.POSITIVE_INFINITY): TextSpan[] {
	const needle = fold(query.trim()).text;
	if (needle === '') return [];
	const { text: hay, from } = fold(text);
	const found: TextSpan[] = [];
	for (let at = hay.indexOf(needle); at !== -1 && found.length < max; at = hay.indexOf(needle, at + needle.length))
		found.push({ start: from[at] ?? 0, end: from[at + needle.length] ?? text.length });
	return found;
}

/** What stands around a find, on one line; `mostSigns` on each side, cut at words. */
export function surroundings(text: string, { start, end }: TextSpan, mostSigns = 40) {
	const line = (part: string) => part.replace(/\s+/gu, ' ');
	const before = line(text.slice(Math.max(0, start - mostSigns), start));
	const after = line(text.slice(end, end + mostSigns));
	return {
		before: start > mostSigns ? `…${before.replace(/^\S*\s/u, '')}` : before,
		found: line(text.slice(start, end)),
		after: end + mostSigns < text.length ? `${after.replace(/\s\S*$/u, '')}…` : after,
	};
}

function fold(text: string): Folded {
	let folded = '';
	const from: number[] = [];
	let at = 0;
	for (const sign of text) {
		for (const part of sign.normalize('NFKD').toLowerCase()) {
			const written = foldSign(part);
			// A word that is written with a hyphen may be broken behind it.
			if (written === ' ' && /[ -]$/u.test(folded)) continue;
			// A sign beyond the basic plane is two code units: each leads back to it.
			for (let unit = 0; unit < written.length; unit++) from.push(at);
			folded += written;
		}
		at += sign.length;
	}
	from.push(text.length);
	return { text: folded, from };
}

function foldSign(sign: string): string {
	if (leftOut.test(sign) || sign === '\0') return '';
	if (/\s/u.test(sign)) return ' ';
	return alike[sign] ?? withLatinDigits(sign);
}
