import { splitGraphemes, type WatermarkLine } from '../../../platform/pdf/watermark-line.ts';

const nameLength = 48;
const domainLength = 40;
const shownLocalPartLength = 2;

/** Composes the watermark line: name, masked address, order code. Missing values are omitted. */
export function composeWatermarkLine(of: { name: string; email: string; code: string | null }): WatermarkLine {
	// A dot separates the parts, so a dot in a name would look like another part.
	const name = shorten(of.name.replaceAll('·', ' ').replace(/\s+/gu, ' ').trim(), nameLength);
	const code = of.code === null ? '' : ` · ${of.code}`;
	return { name, rest: `${maskEmail(of.email)}${code}` };
}

/** `as…@example.com`: recognisable to its owner, useless to others. */
function maskEmail(email: string): string {
	const at = email.lastIndexOf('@');
	const local = splitGraphemes(email.slice(0, at)).slice(0, shownLocalPartLength).join('');
	return `${local}…@${shorten(email.slice(at + 1), domainLength)}`;
}

function shorten(text: string, length: number): string {
	const graphemes = splitGraphemes(text);
	return graphemes.length <= length
		? text
		: `${graphemes
				.slice(0, length - 1)
				.join('')
				.trimEnd()}…`;
}
