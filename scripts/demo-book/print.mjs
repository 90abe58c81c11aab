/**
 * Prints the sample book: `node scripts/demo-book/print.mjs`, from the repository's root.
 *
 * Reads `demo/book/part1-<language>/*.md` and writes `demo/book/build-your-empire-part-1-<language>.pdf`:
 * tagged, with an outline, and linearised (ISO 32000-1, annex F) where qpdf is installed, so that a
 * reader asking for byte ranges shows page one after a few requests. The same sources and the same
 * browser give the same bytes. CHROMIUM_PATH names the browser when it is not in the usual place.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireChromium } from '../chromium.mjs';
import { offlineFlags } from '../chromium-flags.mjs';
import { readEdition } from './chapters.mjs';
import { renderBook, renderFontFaces } from './layout.mjs';

const BOOK = join('demo', 'book');
const LANGUAGES = ['en', 'hi'];
const PRINTED_AT = '20260115090000';

const run = promisify(execFile);
const require = createRequire(join(process.cwd(), 'package.json'));
const { chromium } = require('@playwright/test');

const styles = await readFile(new URL('./book.css', import.meta.url), 'utf8');
const fontFaces = await renderFontFaces();
const browser = await chromium.launch({
	executablePath: await requireChromium(),
	args: ['--user-agent=Folio', ...offlineFlags],
});
try {
	const context = await browser.newContext();
	for (const language of LANGUAGES) {
		const edition = await readEdition(join(BOOK, `part1-${language}`));
		const spans = await measureChapters(context, edition);
		const pdf = fixDates(await printHtml(context, renderBook({ ...edition, spans, fontFaces, styles })));
		const target = join(BOOK, `build-your-empire-part-1-${language}.pdf`);
		const isLinear = await writeLinearised(pdf, target);
		const { length } = await readFile(target);
		console.log(
			`${target}: ${countPages(pdf)} pages, ${length} bytes, ${isLinear ? 'linearised' : 'NOT linearised: qpdf is missing'}`,
		);
	}
} finally {
	await browser.close();
}

/** Prints each chapter by itself to learn how many pages it takes; the front matter is page one. */
async function measureChapters(context, { front, chapters }) {
	const spans = [];
	let start = 2;
	for (const chapter of chapters) {
		const pdf = await printHtml(context, renderBook({ front, chapters: [chapter], fontFaces, styles }));
		const count = countPages(pdf) - 1;
		spans.push({ start, count });
		start += count;
	}
	return spans;
}

async function printHtml(context, html) {
	const page = await context.newPage();
	await page.setContent(html);
	await page.evaluate(() => document.fonts.ready);
	const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, outline: true, tagged: true });
	await page.close();
	return pdf;
}

/** Chromium writes page objects uncompressed, so that counting them needs no PDF library. */
function countPages(pdf) {
	return pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}

/** Replaces the time of printing by a fixed one of the same length: reprinting changes no byte. */
function fixDates(pdf) {
	return Buffer.from(pdf.toString('latin1').replace(/\(D:\d{14}/g, `(D:${PRINTED_AT}`), 'latin1');
}

/** Writes the PDF pages-first through qpdf; without qpdf as it is. Returns whether it was linearised. */
async function writeLinearised(pdf, target) {
	const folder = await mkdtemp(join(tmpdir(), 'demo-book-'));
	const source = join(folder, 'book.pdf');
	try {
		await writeFile(source, pdf);
		await run('qpdf', ['--linearize', '--object-streams=generate', '--deterministic-id', source, target]);
		return true;
	} catch (error) {
		if (error.code !== 'ENOENT') throw error;
		await writeFile(target, pdf);
		return false;
	} finally {
		await rm(folder, { recursive: true });
	}
}
