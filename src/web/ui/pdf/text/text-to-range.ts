import type { TextSpan } from './text-search.ts';

/** A page's text as elements, with the index in the text where each begins; -1 for an artifact. */
interface RenderedText {
	spans: readonly HTMLElement[];
	starts: readonly number[];
}

/** Returns the DOM range for a span of the page's text; null if the page does not contain the span. */
export function findRange({ spans, starts }: RenderedText, { start, end }: TextSpan): Range | null {
	const from = pointOf(spans, starts, start);
	// The end is measured at the last character, because the next character may be on another line.
	const to = pointOf(spans, starts, end - 1);
	if (from === null || to === null) return null;
	const range = document.createRange();
	// In another font, the characters of a Devanagari word have other positions, so the whole word is highlighted.
	range.setStart(from.node, isJoined(from.node.data) ? 0 : from.offset);
	range.setEnd(
		to.node,
		isJoined(to.node.data) ? to.node.data.trimEnd().length : Math.min(to.offset + 1, to.node.length),
	);
	return range;
}

/** Whether a run is a single word in a script with joined characters. */
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
