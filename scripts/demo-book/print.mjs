/**
 * Prints the sample book: `node scripts/demo-book/print.mjs`, from the repository's root.
 *
 * Reads `demo/book/part<N>-<language>/` and writes `demo/book/build-your-empire-part-<N>-<language>.pdf`: tagged, with
 * an outline and its metadata, and linearised (ISO 32000-1, annex F), so that a reader asking for byte ranges shows
 * page one after a few requests. The same sources and the same browser give the same bytes. CHROMIUM_PATH names the
 * browser when it is not in the usual place.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireChromium } from '../services/chromium.mjs';
import { offlineFlags } from '../services/chromium-flags.mjs';
import { readEdition } from './chapters.mjs';
import { finishPdf } from './finish.mjs';
import { renderFontFaces } from './fonts.mjs';
import { renderBook, titleOf } from './layout.mjs';
import { drawPicture, pictureNames } from './pictures.mjs';

const BOOK = join('demo', 'book');
/** The title and the contents. */
const FRONT_PAGES = 2;
const EDITIONS = [1, 2].flatMap((part) => ['en', 'hi'].map((language) => ({ part, language })));

const require = createRequire(join(process.cwd(), 'package.json'));
const { chromium } = require('@playwright/test');

const look = {
	styles: await readFile(new URL('./book.css', import.meta.url), 'utf8'),
	fontFaces: await renderFontFaces(),
	pictureBytes: new Map(await Promise.all(pictureNames.map(async (name) => [name, (await drawPicture(name)).bytes]))),
};
const browser = await chromium.launch({
	executablePath: await requireChromium(),
	args: ['--user-agent=Folio', ...offlineFlags],
});
try {
	const context = await browser.newContext();
	for (const { part, language } of EDITIONS) {
		const edition = await readEdition(join(BOOK, `part${part}-${language}`));
		const spans = await measureChapters(context, edition);
		const printed = await printHtml(context, renderBook({ ...edition, ...look, spans }));
		const pdf = await finishPdf(printed, titleOf(edition.front));
		const target = join(BOOK, `build-your-empire-part-${part}-${language}.pdf`);
		await writeFile(target, pdf);
		const starts = spans.map(({ start }) => start).join(', ');
		console.log(`${target}: ${countPages(printed)} pages, chapters on ${starts}; ${pdf.length} bytes`);
	}
} finally {
	await browser.close();
}

/**
 * Prints each chapter behind the front matter to learn how many pages it takes. One that needs a page less when its
 * lines stand a little closer is set so: few lines are left alone on a last page.
 */
async function measureChapters(context, { colophon: _colophon, ...edition }) {
	const countWith = async (chapters, isTight) =>
		countPages(
			await printHtml(context, renderBook({ ...edition, ...look, chapters, spans: chapters.map(() => ({ isTight })) })),
		);
	const spans = [];
	let start = FRONT_PAGES + 1;
	for (const chapter of edition.chapters) {
		const [loose, tight] = [await countWith([chapter], false), await countWith([chapter], true)];
		spans.push({ start, isTight: tight < loose });
		start += Math.min(loose, tight) - FRONT_PAGES;
	}
	return spans;
}

async function printHtml(context, html) {
	const page = await context.newPage();
	await page.setContent(html);
	await page.evaluate(keepShortParagraphs);
	const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, outline: true, tagged: true });
	await page.close();
	return pdf;
}

/**
 * Runs in the page. Chromium breaks a paragraph of three lines after the second whatever `widows` says, so those of up
 * to three lines are kept whole. They are counted at the width of the printed text.
 */
async function keepShortParagraphs() {
	await document.fonts.ready;
	document.body.style.width = '116mm';
	const short = [...document.querySelectorAll('.chapter > p')].filter(
		(p) => p.offsetHeight < 3.5 * Number.parseFloat(getComputedStyle(p).lineHeight),
	);
	document.body.style.width = '';
	for (const p of short) p.style.breakInside = 'avoid';
}

/** Chromium writes page objects uncompressed, so that counting them needs no PDF library. */
function countPages(pdf) {
	return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}
