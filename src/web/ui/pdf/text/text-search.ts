import { toAsciiDigits } from '#shared/numbers.ts';

interface FoldedText {
	text: string;
	/** For each character of `text`, the index in the original text; the last entry is for the end. */
	from: readonly number[];
}

/** `end` is excluded. */
export interface TextSpan {
	start: number;
	end: number;
}

/** Curly quotes are equal to straight quotes, dashes to a hyphen, and chandrabindu to anusvara. */
const equivalentCharacters: Record<string, string> = {
	'‘': "'",
	'’': "'",
	'“': '"',
	'”': '"',
	'–': '-',
	'—': '-',
	'ँ': 'ं',
};
/** Nukta, joiners, soft hyphens and accents: few users type these characters, and documents use them inconsistently. */
const ignoredCharacters = /[\u093c\u200b-\u200d\u00ad\ufeff]|[\u0300-\u036f]/u;

/** Ignores case, accents, nuktas and joiners, and the kind of white space, digits, quotes and dashes. */
export function findInText(text: string, query: string, max = Number.POSITIVE_INFINITY): TextSpan[] {
	const needle = fold(query.trim()).text;
	if (needle === '') return [];
	const { text: haystack, from } = fold(text);
	const matches: TextSpan[] = [];
	for (
		let at = haystack.indexOf(needle);
		at !== -1 && matches.length < max;
		at = haystack.indexOf(needle, at + needle.length)
	)
		matches.push({ start: from[at] ?? 0, end: from[at + needle.length] ?? text.length });
	return matches;
}

/** Returns a match with up to `maxCharacters` of text on each side, on one line, cut between words. */
export function excerptAround(text: string, { start, end }: TextSpan, maxCharacters = 40) {
	const toSingleLine = (part: string) => part.replace(/\s+/gu, ' ');
	const before = toSingleLine(text.slice(Math.max(0, start - maxCharacters), start));
	const after = toSingleLine(text.slice(end, end + maxCharacters));
	return {
		before: start > maxCharacters ? `…${before.replace(/^\S*\s/u, '')}` : before,
		found: toSingleLine(text.slice(start, end)),
		after: end + maxCharacters < text.length ? `${after.replace(/\s\S*$/u, '')}…` : after,
	};
}

function fold(text: string): FoldedText {
	let folded = '';
	const from: number[] = [];
	let at = 0;
	for (const character of text) {
		for (const part of character.normalize('NFKD').toLowerCase()) {
			const foldedPart = foldCharacter(part);
			// Skips white space after a hyphen too, because a line may break after a hyphen within a word.
			if (foldedPart === ' ' && /[ -]$/u.test(folded)) continue;
			// A character outside the basic multilingual plane is two code units with the same index.
			for (let unit = 0; unit < foldedPart.length; unit++) from.push(at);
			folded += foldedPart;
		}
		at += character.length;
	}
	from.push(text.length);
	return { text: folded, from };
}

function foldCharacter(character: string): string {
	if (ignoredCharacters.test(character) || character === '\0') return '';
	if (/\s/u.test(character)) return ' ';
	return equivalentCharacters[character] ?? toAsciiDigits(character);
}
