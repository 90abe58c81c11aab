import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Outline, OutlineEntry } from '#shared/chapter-matching.ts';
import { type PageSize, visiblePageSize } from './page-geometry.ts';
import { normalizePages, readPages } from './pdf-pages.ts';
import {
	failureOf,
	moveHeaderToFront,
	openQpdf,
	QpdfError,
	type QpdfFailure,
	readJson,
	requireSuccess,
	scratch,
} from './qpdf.ts';
import { openWatermarkFonts } from './watermark-fonts.ts';
import { fitLine, type WatermarkLine } from './watermark-line.ts';
import { writeOverlayPdf } from './watermark-overlay.ts';

interface OutlineBounds {
	levels: number;
	entries: number;
	/** Characters of a title. */
	title: number;
}

/** Message to the process: add a line to the pages of `in.pdf` (null: only check the file), or read its outline. */
export type PdfRequest = { line: WatermarkLine | null } | { outline: OutlineBounds };

/** Messages from the process: progress (0 to 1), the number of pages when done, the outline, or a failure. */
export type PdfResponse =
	| { progress: number }
	| { pages: number }
	| { outline: Outline }
	| { unmarkable: QpdfFailure; why: string };

/** Paths of the modules and files that this process uses: it may not resolve packages itself. */
export interface PdfProcessPaths {
	qpdf: string;
	harfbuzz: string;
	fonts: string;
	/** The only folder that may be written. */
	scratch: string;
}

async function watermark(paths: PdfProcessPaths, line: WatermarkLine | null): Promise<number> {
	const qpdf = await openQpdf(paths.qpdf, paths.scratch);
	const original = `${scratch}/in.pdf`;
	const sourcePages = readPages(qpdf, original);
	const pages = sourcePages.map(({ geometry: each }) => visiblePageSize(each));
	if (pages.length === 0) throw new QpdfError('empty', 'has no pages');
	if (line === null) return pages.length;
	send({ progress: 0.1 });
	const source = normalizePages(qpdf, original, sourcePages);
	const { kinds, order } = groupBySize(pages);
	writeFileSync(join(paths.scratch, 'mark.pdf'), await drawOverlay(paths, kinds, line));
	const target = `${scratch}/out.pdf`;
	// Each page gets the overlay of its size.
	const overlay = ['--overlay', `${scratch}/mark.pdf`, `--from=${order.map((kind) => kind + 1).join(',')}`, '--'];
	// Not linearised: pdf.js reads the dictionaries of all pages before it shows the first. Object streams store them
	// together, a linearised file beside each page: of a file of 30 MB, 182 KB are fetched instead of 19 MB.
	const done = requireSuccess(
		qpdf.run(['--object-streams=generate', '--progress', source, ...overlay, target], (line) => {
			const percent = /write progress: (\d+)%/u.exec(line)?.[1];
			if (percent !== undefined) send({ progress: 0.1 + (Number(percent) / 100) * 0.85 });
		}),
	);
	// A file that qpdf repaired must have no errors now.
	if (done.code === 3 && qpdf.run(['--check', target]).code !== 0)
		throw new QpdfError('broken', done.errorLines.slice(0, 3).join(' '));
	if (Number(requireSuccess(qpdf.run(['--show-npages', target])).outputLines[0]) !== pages.length)
		throw new QpdfError('broken', 'pages were lost');
	return pages.length;
}

/** An entry of qpdf's `outlines` (qpdf's manual, "qpdf JSON"): with a page number if it leads to a page. */
interface RawEntry {
	title?: string;
	destpageposfrom1?: number | null;
	kids?: RawEntry[];
}

async function readOutline(paths: PdfProcessPaths, bounds: OutlineBounds): Promise<Outline> {
	const qpdf = await openQpdf(paths.qpdf, paths.scratch);
	const source = `${scratch}/in.pdf`;
	const pageCount = Number(requireSuccess(qpdf.run(['--show-npages', source])).outputLines[0]);
	if (!(pageCount > 0)) throw new QpdfError('empty', 'has no pages');
	const { outlines } = readJson(qpdf, source, ['--json-key=outlines']) as { outlines?: RawEntry[] };
	const entries: OutlineEntry[] = [];
	const addEntries = (raw: RawEntry[], parent: string, level: number): void => {
		for (const [index, { title = '', destpageposfrom1: page, kids = [] }] of raw.entries()) {
			if (entries.length >= bounds.entries) return;
			const id = `${parent}${index + 1}`;
			// Removes characters that a database cannot store as text.
			const plain = title.replace(/[\0\p{Cs}]/gu, '').trim();
			entries.push({ id, title: [...plain].slice(0, bounds.title).join(''), page: page ?? null });
			if (level < bounds.levels) addEntries(kids, `${id}.`, level + 1);
		}
	};
	addEntries(outlines ?? [], '', 1);
	return { pageCount, entries };
}

async function drawOverlay(paths: PdfProcessPaths, kinds: PageSize[], line: WatermarkLine): Promise<Buffer> {
	const harfbuzz = (await import(pathToFileURL(paths.harfbuzz).href)) as typeof import('harfbuzzjs');
	return writeOverlayPdf(kinds, fitLine(openWatermarkFonts(harfbuzz, paths.fonts), line));
}

/** Groups pages of the same size, which share an overlay. `order` has the index in `kinds` for each page. */
function groupBySize(pages: PageSize[]): { kinds: PageSize[]; order: number[] } {
	const known = new Map<string, number>();
	const kinds: PageSize[] = [];
	const order = pages.map((page) => {
		const key = JSON.stringify(page);
		const kind = known.get(key) ?? kinds.push(page) - 1;
		known.set(key, kind);
		return kind;
	});
	return { kinds, order };
}

function send(message: PdfResponse): void {
	process.send?.(message);
}

process.once('message', (message: PdfRequest) => {
	const places = JSON.parse(process.argv[2] ?? '{}') as PdfProcessPaths;
	const work = async (): Promise<PdfResponse> => {
		moveHeaderToFront(join(places.scratch, 'in.pdf'));
		return 'outline' in message
			? { outline: await readOutline(places, message.outline) }
			: { pages: await watermark(places, message.line) };
	};
	work().then(
		(result) => send(result),
		(error: unknown) => {
			send({ unmarkable: failureOf(error), why: String(error) });
		},
	);
});
// The parent process has ended.
process.once('disconnect', () => process.exit());
