import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads the chapters of one edition.
 *
 * A source file is front matter (`key: value` lines between two `---` lines) and a body in a small
 * part of Markdown: paragraphs, `## section`, `*emphasis*`, `**strong**`, `[link](#slug)`, `> practice`,
 * `![caption](picture)`, and a two-column table whose head row is its caption.
 *
 * @param {string} folder holding `00-front.md`, the numbered chapters, `99-colophon.md`, and `pictures.txt` with a
 *   line `name: what it shows` for each picture
 * @returns {Promise<{ front: Source, chapters: Source[], colophon: Source, pictures: Record<string, string> }>}
 *   chapters in the order of their file names
 * @typedef {{ fields: Record<string, string>, html: string }} Source
 */
export async function readEdition(folder) {
	const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
	const pictures = parseFields(await readFile(join(folder, 'pictures.txt'), 'utf8'));
	const sources = await Promise.all(
		names.map(async (name) => parseSource(await readFile(join(folder, name), 'utf8'), name, pictures)),
	);
	return { front: sources[0], chapters: sources.slice(1, -1), colophon: sources.at(-1), pictures };
}

/** Splits a source text into its front matter and its body as HTML. Throws when the front matter is missing. */
export function parseSource(text, name, pictures = {}) {
	const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
	if (!match) throw new Error(`${name}: no front matter`);
	return { fields: parseFields(match[1]), html: renderBody(match[2], pictures) };
}

function parseFields(text) {
	const lines = text.trim().split('\n');
	return Object.fromEntries(
		lines.map((line) => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
		}),
	);
}

/** An `<img>` whose bytes are put in by the layout. Throws when nobody wrote what it shows. */
export function renderPicture(name, pictures, kind) {
	if (!pictures[name]) throw new Error(`pictures.txt does not say what "${name}" shows`);
	return `<img class="${kind}" src="picture:${name}" alt="${escapeHtml(pictures[name])}">`;
}

export function escapeHtml(text) {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function renderBody(body, pictures) {
	return body
		.trim()
		.split(/\n{2,}/)
		.map((block) => renderBlock(block, pictures))
		.join('\n');
}

function renderBlock(block, pictures) {
	const plate = /^!\[(.*)\]\((.+)\)$/.exec(block);
	if (plate)
		return `<figure>${renderPicture(plate[2], pictures, 'plate')}<figcaption>${renderInline(plate[1])}</figcaption></figure>`;
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
		.replace(/\*(.+?)\*/g, '<i>$1</i>')
		.replace(/\[(.+?)\]\((#[a-z-]+|https:[^)\s]+)\)/g, '<a href="$2">$1</a>');
}
