import type { MarkLine } from '../../platform/pdf/mark-line.ts';
import { signsOf } from '../../platform/pdf/signs.ts';

const nameLength = 48;
const domainLength = 40;
const shownOfAddress = 2;

/** The line at the foot of a buyer's pages: name, shortened address, order code. What is not there is left out. */
export function markLineOf(of: { name: string; email: string; code: string | null }): MarkLine {
	// A dot parts the line: one in a name would look like another part.
	const name = shorten(of.name.replaceAll('·', ' ').replace(/\s+/gu, ' ').trim(), nameLength);
	const code = of.code === null ? '' : ` · ${of.code}`;
	return { name, rest: `${shortAddress(of.email)}${code}` };
}

/** `as…@example.com`: known again by whose it is, of no use to anybody else. */
function shortAddress(email: string): string {
	const at = email.lastIndexOf('@');
	const local = signsOf(email.slice(0, at)).slice(0, shownOfAddress).join('');
	return `${local}…@${shorten(email.slice(at + 1), domainLength)}`;
}

function shorten(text: string, length: number): string {
	const signs = signsOf(text);
	return signs.length <= length
		? text
		: `${signs
				.slice(0, length - 1)
				.join('')
				.trimEnd()}…`;
}
