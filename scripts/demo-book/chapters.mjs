import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads the chapters of one edition.
 *
 * A source file is front matter (`key: value` lines between two `---` lines) and a body in a small
 * part of Markdown: paragraphs, `## section`, `*emphasis*`, `**strong**`, `> practice`, and a
 * two-column table whose head row is its caption.
 *
 * @param {string} folder holding `00-front.md` and the numbered chapters
 * @returns {Promise<{ front: Source, chapters: Source[] }>} chapters in the order of their file names
 * @typedef {{ fields: Record<string, string>, html: string }} Source
 */
export async function readEdition(folder) {
	const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
	const sources = await Promise.all(
		names.map(async (name) => parseSource(await readFile(join(folder, name), 'utf8'), name)),
	);
	const [front, ...chapters] = sources;
	return { front, chapters };
}

/** Splits a source text into its front matter and its body as HTML. Throws when the front matter is missing. */
export function parseSource(text, name) {
	const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
	if (!match) throw new Error(`${name}: no front matter`);
	const fields = Object.fromEntries(
		match[1].split('\n').map((line) => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
		}),
	);
	return { fields, html: renderBody(match[2]) };
}

export function escapeHtml(text) {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function renderBody(body) {
	return body
		.trim()
		.split(/\n{2,}/)
		.map(renderBlock)
		.join('\n');
}

function renderBlock(block) {
	if (block.startsWith('## ')) return `<h2>${renderInline(block.slice(3))}</h2>`;
	if (block.startsWith('> ')) return `<aside>${renderInline(block.replace(/^> ?/gm, ''))}</aside>`;
	if (block.startsWith('|')) return renderTable(block);
	return `<p>${renderInline(block.replaceAll('\n', ' '))}</p>`;
}

function renderTable(block) {
	const rows = block.split('\n').map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
	const [[caption], , ...lines] = rows;
	const body = lines.map(
		([label, value]) => `<tr><th scope="row">${renderInline(label)}</th><td>${renderInline(value)}</td></tr>`,
	);
	return `<table><caption>${renderInline(caption)}</caption><tbody>${body.join('')}</tbody></table>`;
}

function renderInline(text) {
	return escapeHtml(text)
		.replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
		.replace(/\*(.+?)\*/g, '<i>$1</i>');
}
