import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { escapeHtml } from './chapters.mjs';

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
 * @param {{ start: number, count: number }[]} [input.spans] first page and page count of each chapter,
 *   known after a first printing; without them the contents show no page numbers
 * @param {string} input.fontFaces
 * @param {string} input.styles
 */
export function renderBook({ front, chapters, spans, fontFaces, styles }) {
	const { fields } = front;
	return `<!doctype html>
<html lang="${fields.lang}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(`${fields.title}, ${fields.part} (${fields.language})`)}</title>
<style>${fontFaces}\n${styles}\n${renderPageRules(fields, chapters, spans)}</style>
</head>
<body>
${renderFront(front, chapters, spans)}
${chapters.map((chapter) => renderChapter(chapter, fields)).join('\n')}
</body>
</html>
`;
}

function renderFront({ fields, html }, chapters, spans) {
	const lines = chapters.map(({ fields: { chapter, title, slug } }, index) => {
		const page = spans ? spans[index].start : '';
		return `<li><a href="#${slug}"><b>${chapter}</b><span>${escapeHtml(title)}</span><i>${page}</i></a></li>`;
	});
	return `<section class="front">
<div class="edition"><span>${escapeHtml(fields.part)}</span><span>${escapeHtml(fields.language)}</span></div>
<p class="title">${escapeHtml(fields.title)}</p>
<p class="tagline">${escapeHtml(fields.subtitle)}</p>
<p class="dedication">${escapeHtml(fields.dedication)}</p>
<p class="label">${escapeHtml(fields.foreword)}</p>
<div class="foreword">${html}</div>
<p class="label">${escapeHtml(fields.contents)}</p>
<ol>${lines.join('')}</ol>
</section>`;
}

function renderChapter({ fields, html }, { chapterWord }) {
	return `<section class="chapter" style="page: chapter-${fields.chapter}">
<header id="${fields.slug}">
<p class="eyebrow">${escapeHtml(chapterWord)} ${fields.chapter}</p>
<h1>${escapeHtml(fields.title)}</h1>
<p class="subtitle">${escapeHtml(fields.subtitle)}</p>
</header>
${html}
</section>`;
}

/**
 * One named page per chapter, because Chromium fills margin boxes with fixed text only. A chapter's
 * opening page carries its title already: its running head is switched off by the side of the
 * sheet it falls on, which is exact for chapters of one or two pages.
 */
function renderPageRules({ chapterWord }, chapters, spans) {
	return chapters
		.map(({ fields: { chapter, title } }, index) => {
			const name = `chapter-${chapter}`;
			const span = spans?.[index];
			const opener = span && span.count <= 2 ? (span.start % 2 ? 'right' : 'left') : undefined;
			const head = `@page ${name} { @top-left { content: '${chapterWord} ${chapter}' } @top-right { content: '${title}' } }`;
			return opener
				? `${head}\n@page ${name}:${opener} { @top-left { content: none } @top-right { content: none } }`
				: head;
		})
		.join('\n');
}
