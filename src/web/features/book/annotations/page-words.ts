import { rangeOfPart, type TextPart, textNodesOf } from '#web/ui/pdf/text/text-ranges.ts';

type WordRect = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

export function wordsOf(text: HTMLElement): TextPart[] {
	return textNodesOf(text).flatMap((node) =>
		[...segmenter.segment(node.data)]
			.filter(({ isWordLike }) => isWordLike)
			.map(({ segment, index }) => ({ node, start: index, end: index + segment.length })),
	);
}

export const wordRect = (word: TextPart): DOMRect => rangeOfPart(word).getBoundingClientRect();

/** Returns the index of the closest word on the adjacent line, or `index` if there is no adjacent line. */
export function findWordOnAdjacentLine(rects: readonly WordRect[], index: number, step: 1 | -1): number {
	const from = rects[index];
	if (from === undefined) return index;
	const middle = (from.top + from.bottom) / 2;
	const isBeyond = ({ top, bottom }: WordRect) => (step === 1 ? top >= middle : bottom <= middle);
	let best = index;
	let line: WordRect | undefined;
	for (let at = index + step; rects[at] !== undefined; at += step) {
		const rect = rects[at] as WordRect;
		if (!isBeyond(rect)) continue;
		line ??= rect;
		const isSameLine = rect.top < line.bottom && rect.bottom > line.top;
		if (!isSameLine) break;
		const nearest = rects[best] as WordRect;
		if (best === index || Math.abs(rect.left - from.left) < Math.abs(nearest.left - from.left)) best = at;
	}
	return best;
}
