import { escapeHtml, renderPicture } from './chapters.mjs';

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
