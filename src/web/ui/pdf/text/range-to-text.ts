/** A part of a text node that a range holds. */
interface RangeTextPart {
	node: Text;
	start: number;
	end: number;
}

/**
 * What of a page's text a range holds, node by node: without what belongs to the page itself (running heads, the buyer's
 * mark), unless it holds nothing else.
 */
export function textPartsOfRange(range: Range): RangeTextPart[] {
	const root = range.commonAncestorContainer;
	const parts: RangeTextPart[] = [];
	const addPart = (node: Node) => {
		if (!(node instanceof Text) || !range.intersectsNode(node)) return;
		const start = node === range.startContainer ? range.startOffset : 0;
		const end = node === range.endContainer ? range.endOffset : node.length;
		if (end > start) parts.push({ node, start, end });
	};
	if (root instanceof Text) addPart(root);
	else {
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) addPart(node);
	}
	const own = parts.filter(({ node }) => node.parentElement?.closest('[data-text] [aria-hidden]') == null);
	return own.length > 0 ? own : parts;
}

/** Its words, line by line, on one line. */
export function quoteOfRange(range: Range): string {
	let quote = '';
	let line: Element | null = null;
	for (const { node, start, end } of textPartsOfRange(range)) {
		// What stands in no line of words (text-lines.ts) is one itself.
		const own = node.parentElement?.parentElement ?? null;
		if (own !== line || own?.getAttribute('role') !== 'presentation') quote += ' ';
		line = own;
		quote += node.data.slice(start, end);
	}
	return quote.replace(/\s+/gu, ' ').trim();
}
