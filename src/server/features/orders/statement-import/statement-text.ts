import { AppError } from '../../../platform/app-error.ts';

/** Control characters that no text contains, unlike tab, line breaks, form feed and the DOS end-of-file mark. */
const controlCharacter = /[\u0000-\u0008\u000b\u000e-\u0019\u001b-\u001f\u007f-\u009f]/u;

/** Matches HTML, XML, PDF and RTF documents, which banks export under the file name of a table. */
const otherFormat = /^\s*(?:<|%PDF-|\{\\rtf)/u;

/** Matches half of a surrogate pair encoded as a separate character (CESU-8). */
const loneSurrogate = /\u00ed[\u00a0-\u00bf][\u0080-\u00bf]/u;

/** Decodes UTF-16, UTF-8 or Windows-1252. @throws AppError STATEMENT_UNREADABLE if the bytes are not text */
export function decodeStatement(bytes: Buffer): string {
	try {
		const text = decode(bytes).replace(/^\uFEFF/u, '');
		if (!controlCharacter.test(text) && !otherFormat.test(text.slice(0, 1000))) return text.replaceAll('\u001a', '');
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
	}
	throw new AppError('STATEMENT_UNREADABLE');
}

function decode(bytes: Buffer): string {
	const wide = detectUtf16(bytes);
	if (wide !== null) return new TextDecoder(wide, { fatal: true }).decode(bytes);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		if (loneSurrogate.test(bytes.toString('latin1'))) throw new TypeError('Half of a surrogate pair.');
		return new TextDecoder('windows-1252').decode(bytes);
	}
}

/** Detects UTF-16 by its byte-order mark, or by zeros in every other byte at the beginning. */
function detectUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	if (first === 0xfe && second === 0xff) return 'utf-16be';
	const head = bytes.subarray(0, 200);
	const zeros = [0, 1].map((odd) => head.filter((byte, at) => at % 2 === odd && byte === 0).length * 2);
	const [even = 0, odd = 0] = zeros.map((count) => count / Math.max(head.length, 1));
	if (odd > 0.8 && even === 0) return 'utf-16le';
	return even > 0.8 && odd === 0 ? 'utf-16be' : null;
}
