export interface PageWord {
	node: Text;
	start: number;
	end: number;
}

type WordRect = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

export function wordsOf(text: HTMLElement): PageWord[] {
	const words: PageWord[] = [];
	const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		if (!(node instanceof Text)) continue;
		for (const { segment, index, isWordLike } of segmenter.segment(node.data))
			if (isWordLike === true) words.push({ node, start: index, end: index + segment.length });
	}
	return words;
}

export function wordRect({ node, start, end }: PageWord): DOMRect {
	const range = document.createRange();
	range.setStart(node, start);
	range.setEnd(node, end);
	return range.getBoundingClientRect();
}

/** Index of the word on the adjacent line that is closest to the start of this word; `index` if there is none. */
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
