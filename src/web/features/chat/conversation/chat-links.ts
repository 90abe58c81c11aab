interface TextPart {
	text: string;
	href: string | null;
}

const urlPattern = /https?:\/\/[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/giu;

/** Splits a message into text and links. Only http and https URLs are links, so that a click cannot run a script. */
export function splitLinks(text: string): TextPart[] {
	const parts: TextPart[] = [];
	let from = 0;
	for (const { index, 0: match } of text.matchAll(urlPattern)) {
		const link = trimPunctuation(match);
		if (!isUrl(link)) continue;
		if (index > from) parts.push({ text: text.slice(from, index), href: null });
		parts.push({ text: link, href: link });
		from = index + link.length;
	}
	if (from < text.length) parts.push({ text: text.slice(from), href: null });
	return parts;
}

/** Removes punctuation and closing brackets from the end of a URL. Keeps `)` if the URL contains the matching `(`. */
function trimPunctuation(link: string): string {
	const trimmed = link.replace(/[.,;:!?।…*_~]+$/u, '');
	const isOpened = trimmed.split('(').length >= trimmed.split(')').length;
	return /[)\]}]$/u.test(trimmed) && !(trimmed.endsWith(')') && isOpened)
		? trimPunctuation(trimmed.slice(0, -1))
		: trimmed;
}

function isUrl(link: string): boolean {
	const { protocol, hostname } = URL.parse(link) ?? {};
	return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}
