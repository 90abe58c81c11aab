import type { ChatSearchMatch } from '#contract/chat/chat.ts';

/** A text as it is searched: whatever its letters are made of, their case, and how wide the blanks between them are. */
export function searchKeyOf(text: string): string {
	return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ');
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** So many signs are shown around what was found. */
const graphemesBefore = 14;
const graphemesAfter = 100;
/** Of a long text so much is passed over at a time, and so much is looked at before what was found. */
const stepLength = 500;
const lengthBefore = 250;

/**
 * Where a text says what `searchKey` (of {@link searchKeyOf}) looks for, on one line. By whole signs: folding changes how
 * long they are, and a vowel sign is nothing without its letter. `hit` is empty where it cannot be shown. To fold
 * signs one by one is dear: only those around the hit are.
 */
export function createExcerpt(text: string, searchKey: string): Pick<ChatSearchMatch, 'before' | 'hit' | 'after'> {
	const start = startBeforeMatch(text, searchKey);
	const { all, from, to } = readGraphemes(text.slice(start), searchKey);
	if (from < 0) return { before: toSingleLine(firstGraphemes(text)), hit: '', after: '' };
	const begin = wordStart(all, Math.max(0, from - graphemesBefore), from);
	return {
		before: `${start + begin > 0 ? '…' : ''}${toSingleLine(all.slice(begin, from))}`,
		hit: toSingleLine(all.slice(from, to)),
		after: toSingleLine(all.slice(to, to + graphemesAfter)),
	};
}

/**
 * A place some way before the first hit, after a blank where there is one. Folded in pieces a text is never shorter than
 * folded whole: the place is too early rather than too late.
 */
function startBeforeMatch(text: string, searchKey: string): number {
	const at = searchKeyOf(text).indexOf(searchKey);
	let start = 0;
	for (let folded = 0; start + stepLength < text.length; start += stepLength) {
		folded += searchKeyOf(text.slice(start, start + stepLength)).length;
		if (folded + lengthBefore > at) break;
	}
	if (start === 0) return 0;
	const blank = text.slice(start - stepLength, start).search(/\s\S*$/u);
	return blank < 0 ? start : start - stepLength + blank + 1;
}

/** The signs of a text up to a hit and some after it; `from` is -1 where there is none. */
function readGraphemes(text: string, searchKey: string): { all: string[]; from: number; to: number } {
	const all: string[] = [];
	const starts: number[] = [];
	let folded = '';
	let at = -1;
	let to = -1;
	for (const { segment: sign } of graphemes.segment(text)) {
		if (to >= 0 && all.length >= to + graphemesAfter) break;
		const key = searchKeyOf(sign);
		// The sign before may be one that was folded away: it ends no hit.
		if (at >= 0 && to < 0 && folded.length >= at + searchKey.length) to = all.length;
		starts.push(folded.length);
		all.push(sign);
		folded += key === ' ' && folded.endsWith(' ') ? '' : key;
		if (at < 0) at = folded.indexOf(searchKey, Math.max(0, folded.length - key.length - searchKey.length));
	}
	// Of signs that were folded away the last counts: it is the one that says something.
	const from = at < 0 ? -1 : starts.findLastIndex((start) => start <= at);
	return { all, from, to: to < 0 ? all.length : to };
}

function firstGraphemes(text: string): string[] {
	const first: string[] = [];
	for (const { segment } of graphemes.segment(text)) {
		if (first.length === graphemesAfter) break;
		first.push(segment);
	}
	return first;
}

/** The first word that begins between two places; the first place where none does. */
function wordStart(all: readonly string[], first: number, last: number): number {
	if (first === 0) return 0;
	const blank = all.findIndex((sign, at) => at >= first - 1 && at < last - 1 && sign.trim() === '');
	return blank < 0 ? first : blank + 1;
}

function toSingleLine(some: readonly string[]): string {
	return some.join('').replace(/\s+/gu, ' ').toWellFormed();
}
