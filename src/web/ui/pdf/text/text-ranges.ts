import type { TextSpan } from './text-search.ts';

/** `starts`: for each element, the index in the page's text where the element begins; -1 for an artifact. */
interface RenderedText {
	spans: readonly HTMLElement[];
	starts: readonly number[];
}

export function findRange({ spans, starts }: RenderedText, { start, end }: TextSpan): Range | null {
	const from = pointOf(spans, starts, start);
	// Uses the last character, because the next character may be on another line.
	const to = pointOf(spans, starts, end - 1);
	if (from === null || to === null) return null;
	const range = document.createRange();
	// The text layer uses another font than the page. The characters of a Devanagari word have other positions in this
	// font, so the whole word is highlighted.
	range.setStart(from.node, isJoined(from.node.data) ? 0 : from.offset);
	range.setEnd(
		to.node,
		isJoined(to.node.data) ? to.node.data.trimEnd().length : Math.min(to.offset + 1, to.node.length),
	);
	return range;
}

/** Whether the text is a single word in an Indic script, whose characters are joined. */
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

/** Part of a text node; `end` is excluded. */
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

/** Returns the text nodes in `root` in document order; `root` itself if it is a text node. */
export function textNodesOf(root: Node): Text[] {
	if (root instanceof Text) return [root];
	const nodes: Text[] = [];
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) nodes.push(node);
	return nodes;
}

/** Splits a range by text node. Omits artifacts (headers, watermark) unless the range has no other text. */
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
		// A word outside a line element (text-lines.ts) is treated as a separate line.
		const wordLine = node.parentElement?.parentElement ?? null;
		if (wordLine !== line || wordLine?.getAttribute('role') !== 'presentation') quote += ' ';
		line = wordLine;
		quote += node.data.slice(start, end);
	}
	return quote.replace(/\s+/gu, ' ').trim();
}
