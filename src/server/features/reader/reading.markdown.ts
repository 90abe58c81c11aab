import type { ReadingMark } from '#contract/reader/reading.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { formatMoment } from '../../platform/format.ts';
import { textOf } from '../../platform/messages.ts';

/** For whom it is written: the language, and the time zone of its moments. */
export interface MarkdownReader {
	locale: Locale;
	timeZone: string;
}

/** The head of a file of marks. */
export function markdownHead(at: string, { locale, timeZone }: MarkdownReader): string {
	const savedAt = textOf('reading_export_at', locale, { time: formatMoment(at, timeZone, locale) });
	return `# ${textOf('reading_export_title', locale)}\n\n${plainText(savedAt)}\n`;
}

/** One document with its marks in their order, under their chapters (CommonMark 0.31). */
export function markdownOf(name: string, marks: readonly ReadingMark[], reader: MarkdownReader): string {
	const pieces = [`\n## ${plainText(oneLine(name))}\n`];
	let chapter: string | null = null;
	for (const mark of marks) {
		if (mark.chapter !== null && mark.chapter !== chapter) {
			chapter = mark.chapter;
			pieces.push(`\n### ${plainText(oneLine(chapter))}\n`);
		}
		pieces.push(markdownOfMark(mark, reader));
	}
	return pieces.join('');
}

/** A quotation, the note below it, and a line with page, kind and date. */
function markdownOfMark({ kind, page, quote, note, createdAt }: ReadingMark, { locale, timeZone }: MarkdownReader) {
	const facts = textOf(`reading_export_${kind}`, locale, {
		page: String(page),
		time: formatMoment(createdAt, timeZone, locale),
	});
	const pieces = [];
	if (quote.trim() !== '') pieces.push(`> ${plainText(quote).replaceAll('\n', '\n> ')}`);
	if (note !== '') pieces.push(plainText(note));
	pieces.push(`*${plainText(facts)}*`);
	return `\n${pieces.join('\n\n')}\n`;
}

function oneLine(text: string): string {
	return text.replace(/[\s\u0085]+/gu, ' ').trim();
}

/**
 * Somebody's own words as text and nothing else: signs with a meaning anywhere in a line, those with one at its beginning,
 * and addresses that some programs make links of. What stood in lines of its own still does.
 */
export function plainText(text: string): string {
	const lines = text
		.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n')
		.replace(/[^\P{Cc}\n\t]/gu, '')
		.trim()
		.split('\n')
		.map((line) =>
			line
				.trim()
				.replace(/[\\`*_{}[\]<>&#|~$^=]/gu, '\\$&')
				.replace(/^[-+:%]/u, '\\$&')
				.replace(/^(\d+)([.)])/u, '$1\\$2')
				.replace(/:(?=\/\/)|(?<=\bwww)\./giu, '\\$&'),
		);
	// A backslash at the end of a line breaks it; an empty line parts what stands around it.
	return lines
		.map((line, at) => (line !== '' && (lines[at + 1] ?? '') !== '' ? `${line}\\` : line))
		.join('\n')
		.replace(/\n{3,}/gu, '\n\n');
}
