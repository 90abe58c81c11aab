/** A part of a message: plain text, or a URL that can be opened. */
interface TextPart {
	text: string;
	href: string | null;
}

const urlPattern = /https?:\/\/[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/giu;

/** Splits a message into plain text and URLs: http and https only, so that a click never runs a script. */
export function splitLinks(text: string): TextPart[] {
	const parts: TextPart[] = [];
	let from = 0;
	for (const { index, 0: found } of text.matchAll(urlPattern)) {
		const link = trimPunctuation(found);
		if (!isUrl(link)) continue;
		if (index > from) parts.push({ text: text.slice(from, index), href: null });
		parts.push({ text: link, href: link });
		from = index + link.length;
	}
	if (from < text.length) parts.push({ text: text.slice(from), href: null });
	return parts;
}

/** Removes punctuation that ends the sentence around the URL, but no closing bracket that the URL itself has opened. */
function trimPunctuation(link: string): string {
	const bare = link.replace(/[.,;:!?।…*_~]+$/u, '');
	const isOpened = bare.split('(').length >= bare.split(')').length;
	return /[)\]}]$/u.test(bare) && !(bare.endsWith(')') && isOpened) ? trimPunctuation(bare.slice(0, -1)) : bare;
}

function isUrl(link: string): boolean {
	const { protocol, hostname } = URL.parse(link) ?? {};
	return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}
