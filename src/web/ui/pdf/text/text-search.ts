import { devanagariToAsciiDigits } from '#shared/digits.ts';

interface FoldedText {
	text: string;
	/** For each character of `text`, and for its end, the index in the original. */
	from: readonly number[];
}

/** A span of a text: from the first character up to, not including, `end`. */
export interface TextSpan {
	start: number;
	end: number;
}

/** Characters that are equivalent in a search: quotes, dashes, chandrabindu and anusvara. */
const equivalentCharacters: Record<string, string> = {
	'‘': "'",
	'’': "'",
	'“': '"',
	'”': '"',
	'–': '-',
	'—': '-',
	'ँ': 'ं',
};
/** Nukta, joiners, soft hyphens and accents: few users type them, and documents differ in them. */
const ignoredCharacters = /[\u093c\u200b-\u200d\u00ad\ufeff]|[\u0300-\u036f]/u;

/** Finds all matches, regardless of case, accents, nuktas, joiners, white space and the kind of digits and quotes. */
export function findInText(text: string, query: string, max = Number.POSITIVE_INFINITY): TextSpan[] {
	const needle = fold(query.trim()).text;
	if (needle === '') return [];
	const { text: haystack, from } = fold(text);
	const found: TextSpan[] = [];
	for (
		let at = haystack.indexOf(needle);
		at !== -1 && found.length < max;
		at = haystack.indexOf(needle, at + needle.length)
	)
		found.push({ start: from[at] ?? 0, end: from[at + needle.length] ?? text.length });
	return found;
}

/** The text around a match, on one line; `maxCharacters` on each side, cut at words. */
export function excerptAround(text: string, { start, end }: TextSpan, maxCharacters = 40) {
	const line = (part: string) => part.replace(/\s+/gu, ' ');
	const before = line(text.slice(Math.max(0, start - maxCharacters), start));
	const after = line(text.slice(end, end + maxCharacters));
	return {
		before: start > maxCharacters ? `…${before.replace(/^\S*\s/u, '')}` : before,
		found: line(text.slice(start, end)),
		after: end + maxCharacters < text.length ? `${after.replace(/\s\S*$/u, '')}…` : after,
	};
}

function fold(text: string): FoldedText {
	let folded = '';
	const from: number[] = [];
	let at = 0;
	for (const sign of text) {
		for (const part of sign.normalize('NFKD').toLowerCase()) {
			const written = foldCharacter(part);
			// A word with a hyphen may be broken across lines after the hyphen.
			if (written === ' ' && /[ -]$/u.test(folded)) continue;
			// A character outside the basic plane is two code units: both map to the same index.
			for (let unit = 0; unit < written.length; unit++) from.push(at);
			folded += written;
		}
		at += sign.length;
	}
	from.push(text.length);
	return { text: folded, from };
}

function foldCharacter(sign: string): string {
	if (ignoredCharacters.test(sign) || sign === '\0') return '';
	if (/\s/u.test(sign)) return ' ';
	return equivalentCharacters[sign] ?? devanagariToAsciiDigits(sign);
}
