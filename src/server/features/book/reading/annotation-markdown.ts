import type { Annotation } from '#contract/book/reading.ts';
import type { Locale } from '#contract/core/text.ts';
import { formatMoment } from '../../../platform/format.ts';
import { translate } from '../../../platform/messages.ts';

interface MarkdownContext {
	locale: Locale;
	timeZone: string;
}

export function markdownHeader(at: string, { locale, timeZone }: MarkdownContext): string {
	const savedAt = translate('reading_export_at', locale, { time: formatMoment(at, timeZone, locale) });
	return `# ${translate('reading_export_title', locale)}\n\n${escapeMarkdown(savedAt)}\n`;
}

/** Formats one document with its annotations in order, under their chapters (CommonMark 0.31). */
export function documentToMarkdown(name: string, marks: readonly Annotation[], reader: MarkdownContext): string {
	const sections = [`\n## ${escapeMarkdown(toSingleLine(name))}\n`];
	let chapter: string | null = null;
	for (const mark of marks) {
		if (mark.chapter !== null && mark.chapter !== chapter) {
			chapter = mark.chapter;
			sections.push(`\n### ${escapeMarkdown(toSingleLine(chapter))}\n`);
		}
		sections.push(annotationToMarkdown(mark, reader));
	}
	return sections.join('');
}

function annotationToMarkdown(
	{ kind, page, quote, note, createdAt }: Annotation,
	{ locale, timeZone }: MarkdownContext,
) {
	const facts = translate(`reading_export_${kind}`, locale, {
		page: String(page),
		time: formatMoment(createdAt, timeZone, locale),
	});
	const paragraphs = [];
	if (quote.trim() !== '') paragraphs.push(`> ${escapeMarkdown(quote).replaceAll('\n', '\n> ')}`);
	if (note !== '') paragraphs.push(escapeMarkdown(note));
	paragraphs.push(`*${escapeMarkdown(facts)}*`);
	return `\n${paragraphs.join('\n\n')}\n`;
}

function toSingleLine(text: string): string {
	return text.replace(/[\s\u0085]+/gu, ' ').trim();
}

/** Escapes a text so that a Markdown viewer shows it and its line breaks as typed, without links from web addresses. */
export function escapeMarkdown(text: string): string {
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
	// A backslash at the end of a line makes a line break; an empty line separates paragraphs.
	return lines
		.map((line, at) => (line !== '' && (lines[at + 1] ?? '') !== '' ? `${line}\\` : line))
		.join('\n')
		.replace(/\n{3,}/gu, '\n\n');
}
