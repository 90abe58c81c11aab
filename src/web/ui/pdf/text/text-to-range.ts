import type { TextSpan } from './text-search.ts';

/** A page's text as elements, with where each begins in the text; -1 for what is no part of it. */
export interface RenderedText {
	spans: readonly HTMLElement[];
	starts: readonly number[];
}

/** The part of the laid out page that a span of its text stands in; null when the page says it nowhere. */
export function findRange({ spans, starts }: RenderedText, { start, end }: TextSpan): Range | null {
	const from = pointOf(spans, starts, start);
	// Where the last sign stands: behind it another line may have begun.
	const to = pointOf(spans, starts, end - 1);
	if (from === null || to === null) return null;
	const range = document.createRange();
	// In another face the signs of Devanagari stand elsewhere in their word: it is shown whole.
	range.setStart(from.node, isJoined(from.node.data) ? 0 : from.offset);
	range.setEnd(
		to.node,
		isJoined(to.node.data) ? to.node.data.trimEnd().length : Math.min(to.offset + 1, to.node.length),
	);
	return range;
}

/** A word of a writing whose signs join, which a run holds alone. */
function isJoined(text: string): boolean {
	return /[\u0900-\u0dff]/u.test(text) && !/\s/u.test(text.trim());
}

function pointOf(spans: readonly HTMLElement[], starts: readonly number[], at: number) {
	const index = starts.findLastIndex((start) => start !== -1 && start <= at);
	const node = spans[index]?.firstChild;
	const start = starts[index];
	if (!(node instanceof Text) || start === undefined) return null;
	return { node, offset: Math.min(at - start, node.length) };
}
