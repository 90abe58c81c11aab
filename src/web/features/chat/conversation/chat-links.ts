/** A piece of a message: words, or an address that can be opened. */
export interface TextPart {
	text: string;
	href: string | null;
}

const urlPattern = /https?:\/\/[^\s<>"'`\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/giu;

/** Cuts a message into words and addresses: http and https alone, so that a press never runs anything. */
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

/** The end of the sentence around it is no part of an address; a bracket is, where the address opened it. */
function trimPunctuation(link: string): string {
	const bare = link.replace(/[.,;:!?।…*_~]+$/u, '');
	const isOpened = bare.split('(').length >= bare.split(')').length;
	return /[)\]}]$/u.test(bare) && !(bare.endsWith(')') && isOpened) ? trimPunctuation(bare.slice(0, -1)) : bare;
}

function isUrl(link: string): boolean {
	const { protocol, hostname } = URL.parse(link) ?? {};
	return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}
