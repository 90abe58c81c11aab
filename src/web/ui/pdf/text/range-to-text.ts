/** The part of a text node that is inside a range. */
interface RangeTextPart {
	node: Text;
	start: number;
	end: number;
}

/**
 * Returns the parts of a page's text that are inside a range, node by node. Artifacts (running headers, the buyer's
 * watermark) are left out, unless the range contains nothing else.
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

/** Returns the words of a range as a single line. */
export function quoteOfRange(range: Range): string {
	let quote = '';
	let line: Element | null = null;
	for (const { node, start, end } of textPartsOfRange(range)) {
		// A word that is in no line element (text-lines.ts) counts as a line of its own.
		const own = node.parentElement?.parentElement ?? null;
		if (own !== line || own?.getAttribute('role') !== 'presentation') quote += ' ';
		line = own;
		quote += node.data.slice(start, end);
	}
	return quote.replace(/\s+/gu, ' ').trim();
}
