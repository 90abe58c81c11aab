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
	type PdfFailure,
	QpdfError,
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
	title: number;
}

/** Message to the process: adds a line to all pages of `in.pdf` (null: only checks the file), or reads its outline. */
export type PdfRequest = { line: WatermarkLine | null } | { outline: OutlineBounds };

/** Message from the process: progress (0 to 1), the number of pages of the copy, the outline, or a failure. */
export type PdfResponse =
	| { progress: number }
	| { pages: number }
	| { outline: Outline }
	| { unmarkable: PdfFailure; why: string };

/** Paths of modules and files, because this process has no permission to resolve packages. */
export interface PdfProcessPaths {
	qpdf: string;
	harfbuzz: string;
	fonts: string;
	/** The only folder that the process may write to. */
	scratch: string;
}

async function watermark(paths: PdfProcessPaths, line: WatermarkLine | null): Promise<number> {
	const qpdf = await openQpdf(paths.qpdf, paths.scratch);
	const original = `${scratch}/in.pdf`;
	const sourcePages = readPages(qpdf, original);
	const pages = sourcePages.map(({ geometry }) => visiblePageSize(geometry));
	if (pages.length === 0) throw new QpdfError('empty', 'has no pages');
	if (line === null) return pages.length;
	send({ progress: 0.1 });
	const source = normalizePages(qpdf, original, sourcePages);
	const { sizes, order } = groupBySize(pages);
	writeFileSync(join(paths.scratch, 'mark.pdf'), await drawOverlay(paths, sizes, line));
	const target = `${scratch}/out.pdf`;
	// Page n of the source gets the overlay page of its size.
	const overlay = ['--overlay', `${scratch}/mark.pdf`, `--from=${order.map((index) => index + 1).join(',')}`, '--'];
	// The copy has object streams and is not linearised. pdf.js reads the dictionaries of all pages before it shows the
	// first page. Object streams store them together, so that 182 KB of a file of 30 MB are fetched instead of 19 MB.
	const done = requireSuccess(
		qpdf.run(['--object-streams=generate', '--progress', source, ...overlay, target], (line) => {
			const percent = /write progress: (\d+)%/u.exec(line)?.[1];
			if (percent !== undefined) send({ progress: 0.1 + (Number(percent) / 100) * 0.85 });
		}),
	);
	// Exit code 3: qpdf repaired the file. The result must have no errors.
	if (done.code === 3 && qpdf.run(['--check', target]).code !== 0)
		throw new QpdfError('broken', done.errorLines.slice(0, 3).join(' '));
	if (Number(requireSuccess(qpdf.run(['--show-npages', target])).outputLines[0]) !== pages.length)
		throw new QpdfError('broken', 'pages were lost');
	return pages.length;
}

/** An entry of qpdf's `outlines`, with the number of the page that it links to. Source: qpdf's manual, "qpdf JSON". */
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
			const storable = title.replace(/[\0\p{Cs}]/gu, '').trim();
			entries.push({ id, title: [...storable].slice(0, bounds.title).join(''), page: page ?? null });
			if (level < bounds.levels) addEntries(kids, `${id}.`, level + 1);
		}
	};
	addEntries(outlines ?? [], '', 1);
	return { pageCount, entries };
}

async function drawOverlay(paths: PdfProcessPaths, sizes: PageSize[], line: WatermarkLine): Promise<Buffer> {
	const harfbuzz = (await import(pathToFileURL(paths.harfbuzz).href)) as typeof import('harfbuzzjs');
	return writeOverlayPdf(sizes, fitLine(openWatermarkFonts(harfbuzz, paths.fonts), line));
}

function groupBySize(pages: PageSize[]): { sizes: PageSize[]; order: number[] } {
	const indexBySize = new Map<string, number>();
	const sizes: PageSize[] = [];
	const order = pages.map((page) => {
		const key = JSON.stringify(page);
		const index = indexBySize.get(key) ?? sizes.push(page) - 1;
		indexBySize.set(key, index);
		return index;
	});
	return { sizes, order };
}

function send(message: PdfResponse): void {
	process.send?.(message);
}

process.once('message', (message: PdfRequest) => {
	const paths = JSON.parse(process.argv[2] ?? '{}') as PdfProcessPaths;
	const work = async (): Promise<PdfResponse> => {
		moveHeaderToFront(join(paths.scratch, 'in.pdf'));
		return 'outline' in message
			? { outline: await readOutline(paths, message.outline) }
			: { pages: await watermark(paths, message.line) };
	};
	work().then(
		(result) => send(result),
		(error: unknown) => {
			send({ unmarkable: failureOf(error), why: String(error) });
		},
	);
});
// Ends this process when the parent process has ended.
process.once('disconnect', () => process.exit());
