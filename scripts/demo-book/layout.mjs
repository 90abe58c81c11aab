import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { escapeHtml, renderPicture } from './chapters.mjs';

const LATIN = 'U+0000-00FF, U+2000-206F';
const LATIN_EXT = 'U+0100-02BA, U+20A0-20C0';
const DEVANAGARI = 'U+0900-097F, U+1CD0-1CF9, U+200C-200D, U+25CC, U+A8E0-A8FF';

const FACES = [
	['Fraunces', '@fontsource-variable/fraunces', 'fraunces-latin-full-normal', 'normal', '100 900', LATIN],
	['Fraunces', '@fontsource-variable/fraunces', 'fraunces-latin-full-italic', 'italic', '100 900', LATIN],
	['Inter', '@fontsource-variable/inter', 'inter-latin-wght-normal', 'normal', '100 900', LATIN],
	['Inter', '@fontsource-variable/inter', 'inter-latin-ext-wght-normal', 'normal', '100 900', LATIN_EXT],
	[
		'Noto Serif Devanagari',
		'@fontsource-variable/noto-serif-devanagari',
		'noto-serif-devanagari-devanagari-wght-normal',
		'normal',
		'100 900',
		DEVANAGARI,
	],
	['Mukta', '@fontsource/mukta', 'mukta-devanagari-400-normal', 'normal', '400', DEVANAGARI],
	['Mukta', '@fontsource/mukta', 'mukta-devanagari-600-normal', 'normal', '600', DEVANAGARI],
];

/** The book's `@font-face` rules with the fonts inlined, found in the `node_modules` of the working directory. */
export async function renderFontFaces() {
	const require = createRequire(join(process.cwd(), 'package.json'));
	const rules = FACES.map(async ([family, packageName, file, style, weight, range]) => {
		const bytes = await readFile(require.resolve(`${packageName}/files/${file}.woff2`));
		return `@font-face { font-family: '${family}'; font-style: ${style}; font-weight: ${weight};
      unicode-range: ${range}; src: url(data:font/woff2;base64,${bytes.toString('base64')}) format('woff2') }`;
	});
	return (await Promise.all(rules)).join('\n');
}

/**
 * Renders an edition, or some chapters of it, as one HTML document ready to print.
 *
 * @param {object} input
 * @param {import('./chapters.mjs').Source} input.front title, part, language, dedication, foreword
 * @param {import('./chapters.mjs').Source[]} input.chapters
 * @param {import('./chapters.mjs').Source} [input.colophon] the last page
 * @param {Record<string, string>} input.pictures what each picture shows, by name
 * @param {Map<string, Buffer>} input.pictureBytes PNG, by name
 * @param {{ start?: number, isTight: boolean }[]} [input.spans] the first page of each chapter, known after a first
 *   printing (without it the contents show no page number), and whether its lines stand a little closer
 * @param {string} input.fontFaces
 * @param {string} input.styles
 */
export function renderBook({ front, chapters, colophon, pictures, pictureBytes, spans, fontFaces, styles }) {
	const { fields } = front;
	const html = `<!doctype html>
<html lang="${fields.lang}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(titleOf(front))}</title>
<style>${fontFaces}\n${styles}\n${renderPageRules(fields, chapters, spans)}</style>
</head>
<body>
${renderFront(front, chapters, spans)}
${chapters.map((chapter, index) => renderChapter(chapter, fields, pictures, spans?.[index]?.isTight)).join('\n')}
${colophon ? renderColophon(colophon) : ''}
</body>
</html>
`;
	return html.replace(
		/src="picture:([^"]+)"/g,
		(_all, name) => `src="data:image/png;base64,${pictureBytes.get(name).toString('base64')}"`,
	);
}

/** What the edition is called in its metadata. */
export function titleOf({ fields }) {
	return `${fields.title}, ${fields.part} (${fields.language})`;
}

function renderFront({ fields, html }, chapters, spans) {
	return `<section class="front">
<div class="edition"><span>${escapeHtml(fields.part)}</span><span>${escapeHtml(fields.language)}</span></div>
<p class="title">${escapeHtml(fields.title)}</p>
<p class="tagline">${escapeHtml(fields.subtitle)}</p>
<p class="dedication">${escapeHtml(fields.dedication)}</p>
<p class="label">${escapeHtml(fields.foreword)}</p>
<div class="foreword">${html}</div>
</section>
<section class="contents">
<p class="label">${escapeHtml(fields.contents)}</p>
<ol>${chapters.map((chapter, index) => renderContentsLine(chapter, spans?.[index])).join('')}</ol>
</section>`;
}

function renderContentsLine({ fields: { chapter, title, slug }, html }, span) {
	const sections = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(
		([, heading], index) => `<a href="#${sectionId(slug, index)}">${heading}</a>`,
	);
	return `<li><a class="line" href="#${slug}"><b>${chapter}</b><span>${escapeHtml(title)}</span><i>${span?.start ?? ''}</i></a>
<p>${sections.join(' · ')}</p></li>`;
}

function sectionId(slug, index) {
	return `${slug}-${index + 1}`;
}

function renderColophon({ fields, html }) {
	return `<section class="colophon" id="${fields.slug}">
<h1>${escapeHtml(fields.title)}</h1>
${html}
</section>`;
}

function renderChapter({ fields, html }, { chapterWord }, pictures, isTight) {
	let section = 0;
	const body = html.replace(/<h2>/g, () => `<h2 id="${sectionId(fields.slug, section++)}">`);
	return `<section class="chapter${isTight ? ' tight' : ''}${fields.lines === 'loose' ? ' loose' : ''}" style="page: chapter-${fields.chapter}">
${renderPicture(fields.slug, pictures, 'head')}
<header id="${fields.slug}">
<p class="eyebrow">${escapeHtml(chapterWord)} ${fields.chapter}</p>
<h1>${escapeHtml(fields.title)}</h1>
<p class="subtitle">${escapeHtml(fields.subtitle)}</p>
</header>
${body}
</section>`;
}

/**
 * One named page per chapter, because Chromium fills margin boxes with fixed text only. A chapter's opening page
 * carries its title already; so pages on that side of the sheet name the book, and those on the other the chapter.
 */
function renderPageRules({ chapterWord, title: book, part }, chapters, spans) {
	const boxes = (left, right) => `@top-left { content: '${left}' } @top-right { content: '${right}' }`;
	return chapters
		.map(({ fields: { chapter, title } }, index) => {
			const name = `chapter-${chapter}`;
			const start = spans?.[index]?.start;
			const opener = start && (start % 2 ? 'right' : 'left');
			const room = spans?.[index]?.isTight ? 'margin-bottom: 18mm;' : '';
			const head = `@page ${name} { ${room} ${boxes(`${chapterWord} ${chapter}`, title)} }`;
			return opener ? `${head}\n@page ${name}:${opener} { ${boxes(book, part)} }` : head;
		})
		.join('\n');
}
