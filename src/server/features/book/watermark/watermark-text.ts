import { splitGraphemes, type WatermarkLine } from '../../../platform/pdf/watermark-line.ts';

const nameLength = 48;
const domainLength = 40;
const shownLocalPartLength = 2;

/** The line at the foot of a buyer's pages: name, shortened address, order code. What is not there is left out. */
export function composeWatermarkLine(of: { name: string; email: string; code: string | null }): WatermarkLine {
	// A dot parts the line: one in a name would look like another part.
	const name = shorten(of.name.replaceAll('·', ' ').replace(/\s+/gu, ' ').trim(), nameLength);
	const code = of.code === null ? '' : ` · ${of.code}`;
	return { name, rest: `${maskEmail(of.email)}${code}` };
}

/** `as…@example.com`: known again by whose it is, of no use to anybody else. */
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
