import type { TextSpan } from './text-search.ts';

/** A page's text as elements, with the index in the text where each begins; -1 for an artifact. */
interface RenderedText {
	spans: readonly HTMLElement[];
	starts: readonly number[];
}

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

/** A part of a text node: from the first character up to, not including, `end`. */
export interface TextPart {
	node: Text;
	start: number;
	end: number;
}

export function rangeOfPart({ node, start, end }: TextPart): Range {
	const range = document.createRange();
	range.setStart(node, start);
	range.setEnd(node, end);
	return range;
}

/** Returns the text nodes within a node in their order, or the node itself. */
export function textNodesOf(root: Node): Text[] {
	if (root instanceof Text) return [root];
	const nodes: Text[] = [];
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) nodes.push(node);
	return nodes;
}

/** Returns the parts of a range, node by node; without artifacts (running headers, watermark) if it has other text. */
export function textPartsOfRange(range: Range): TextPart[] {
	const parts = textNodesOf(range.commonAncestorContainer).flatMap((node): TextPart[] => {
		if (!range.intersectsNode(node)) return [];
		const start = node === range.startContainer ? range.startOffset : 0;
		const end = node === range.endContainer ? range.endOffset : node.length;
		return end > start ? [{ node, start, end }] : [];
	});
	const textParts = parts.filter(({ node }) => node.parentElement?.closest('[data-text] [aria-hidden]') == null);
	return textParts.length > 0 ? textParts : parts;
}

export function quoteOfRange(range: Range): string {
	let quote = '';
	let line: Element | null = null;
	for (const { node, start, end } of textPartsOfRange(range)) {
		// A word that is in no line element (text-lines.ts) counts as a line of its own.
		const wordLine = node.parentElement?.parentElement ?? null;
		if (wordLine !== line || wordLine?.getAttribute('role') !== 'presentation') quote += ' ';
		line = wordLine;
		quote += node.data.slice(start, end);
	}
	return quote.replace(/\s+/gu, ' ').trim();
}
