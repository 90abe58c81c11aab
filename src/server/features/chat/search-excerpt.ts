import type { ChatSearchMatch } from '#contract/chat/chat.ts';

/** Folds a text to the form that searches compare: normalised (NFKC), in lower case, with single spaces. */
export function searchKeyOf(text: string): string {
	return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ');
}

let segmenter: Intl.Segmenter | undefined;
/** Number of graphemes shown before and after the match. */
const graphemesBefore = 14;
const graphemesAfter = 100;
/** Enough characters for `graphemesAfter` graphemes. */
const lengthWithoutMatch = 2500;
/** Number of characters that are skipped at once in a long text. */
const stepLength = 500;
/** Minimum number of folded characters before the match that are not skipped. */
const lengthBefore = 250;

/**
 * Returns an excerpt around the match of `searchKey` (see {@link searchKeyOf}), on one line. Without a match, `hit` is
 * empty and `before` is the beginning of the text. Graphemes are not split, because a vowel sign needs its letter. Only
 * graphemes near the match are folded one by one, because that is slow.
 */
export function createExcerpt(text: string, searchKey: string): Pick<ChatSearchMatch, 'before' | 'hit' | 'after'> {
	const start = startBeforeMatch(text, searchKey);
	const { all, from, to } = readGraphemes(text.slice(start), searchKey);
	if (from < 0) {
		const first = Array.from(splitGraphemes(text.slice(0, lengthWithoutMatch)), ({ segment }) => segment);
		return { before: toSingleLine(first.slice(0, graphemesAfter)), hit: '', after: '' };
	}
	const begin = wordStart(all, Math.max(0, from - graphemesBefore), from);
	return {
		before: `${start + begin > 0 ? '…' : ''}${toSingleLine(all.slice(begin, from))}`,
		hit: toSingleLine(all.slice(from, to)),
		after: toSingleLine(all.slice(to, to + graphemesAfter)),
	};
}

/**
 * Returns a position at or before the first match. Text is skipped while its folded length is less than the position of
 * the match in the folded text. Folding in pieces never gives a shorter text than folding at once, so the match is not
 * skipped.
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

/** Returns the graphemes up to a match and some after it; `from` is -1 if there is no match. */
function readGraphemes(text: string, searchKey: string): { all: string[]; from: number; to: number } {
	const all: string[] = [];
	const starts: number[] = [];
	let folded = '';
	let at = -1;
	let to = -1;
	for (const { segment } of splitGraphemes(text)) {
		if (to >= 0 && all.length >= to + graphemesAfter) break;
		const key = searchKeyOf(segment);
		// The match ends before this grapheme.
		if (at >= 0 && to < 0 && folded.length >= at + searchKey.length) to = all.length;
		starts.push(folded.length);
		all.push(segment);
		folded += key === ' ' && folded.endsWith(' ') ? '' : key;
		if (at < 0) at = folded.indexOf(searchKey, Math.max(0, folded.length - key.length - searchKey.length));
	}
	// Several graphemes have the same start if all but the last fold to nothing. The last one contains the match.
	const from = at < 0 ? -1 : starts.findLastIndex((start) => start <= at);
	return { all, from, to: to < 0 ? all.length : to };
}

/** Returns the start of the first word between two positions, or `first` if no word starts between them. */
function wordStart(all: readonly string[], first: number, last: number): number {
	if (first === 0) return 0;
	const blank = all.findIndex((grapheme, at) => at >= first - 1 && at < last - 1 && grapheme.trim() === '');
	return blank < 0 ? first : blank + 1;
}

function toSingleLine(parts: readonly string[]): string {
	return parts.join('').replace(/\s+/gu, ' ').toWellFormed();
}

function splitGraphemes(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	return segmenter.segment(text);
}
