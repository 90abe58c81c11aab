import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Outline } from '#shared/chapter-matching.ts';
import { type CopyTemplate, type InsertedPart, joinCopy, splitTemplate, writeParts } from './copy-template.ts';
import { type PageSize, visiblePageSize } from './page-geometry.ts';
import { type OutlineBounds, readOutline } from './pdf-outline.ts';
import { findBrokenPage, normalizePages, readPages, requireAllPages } from './pdf-pages.ts';
import {
	failureOf,
	moveHeaderToFront,
	openQpdf,
	type PdfFailure,
	type Qpdf,
	QpdfError,
	requireSuccess,
	scratch,
} from './qpdf.ts';
import { rebuildTable } from './table-repair.ts';
import { openWatermarkFonts } from './watermark-fonts.ts';
import { type FittedLine, fitLine, type WatermarkLine } from './watermark-line.ts';
import { writeEmptyOverlayPdf, writeOverlayPdf } from './watermark-overlay.ts';

/**
 * Message to the process. With a line: makes a copy with the line on all pages, from the template or, without one, from
 * `in.pdf`. Without a line: only checks `in.pdf`. With `outline`: reads the outline of `in.pdf`.
 */
export type PdfRequest =
	| { line: WatermarkLine; template: CopyTemplate | null }
	| { line: null }
	| { outline: OutlineBounds };

/**
 * A copy. `inserts` are pairs of a position in the base and a length; their bytes are in `parts.bin`. If a new template
 * was made, its base is `base.bin`. `inserts` is null if no template can be made of the PDF; the copy is then `out.pdf`.
 */
export interface MadeCopy {
	pages: number;
	inserts: Array<[at: number, length: number]> | null;
	newTemplate: CopyTemplate | null;
}

/** Message from the process: progress (0 to 1), the number of pages, the copy, the outline, or a failure. */
export type PdfResponse =
	| { progress: number }
	| { pages: number }
	| MadeCopy
	| { outline: Outline }
	| { failure: PdfFailure; why: string; page?: number };

/** Paths of modules and files, because this process has no permission to resolve packages. */
export interface PdfProcessPaths {
	qpdf: string;
	harfbuzz: string;
	fonts: string;
	/** The only folder that the process may write to. */
	scratch: string;
}

/** A template has at most this many page sizes, and therefore this many parts. */
const maxTemplateSizes = 64;

async function watermark(paths: PdfProcessPaths, line: WatermarkLine | null): Promise<MadeCopy | { pages: number }> {
	const qpdf = await openQpdf(paths.qpdf, paths.scratch);
	const original = `${scratch}/in.pdf`;
	const sourcePages = readPages(qpdf, original);
	const sizeOfPages = sourcePages.map(({ geometry }) => visiblePageSize(geometry));
	const pages = sizeOfPages.length;
	if (pages === 0) throw new QpdfError('empty', 'has no pages');
	if (line === null) return { pages };
	send({ progress: 0.1 });
	const source = normalizePages(qpdf, original, sourcePages);
	const { sizes, order } = groupBySize(sizeOfPages);
	const lineFor = await createFittedLine(paths, line);
	// In an encrypted file, the parts would have to be encrypted too.
	const isEncrypted = qpdf.run(['--is-encrypted', source]).code === 0;
	if (!isEncrypted && sizes.length <= maxTemplateSizes) {
		const made = copyByTemplate(paths, qpdf, { source, sizes, order, lineFor });
		if (made !== null) return made;
	}
	addOverlay(paths, qpdf, { source, overlay: writeOverlayPdf(sizes, lineFor), order });
	return { pages, inserts: null, newTemplate: null };
}

/** Makes a template and the parts of a copy. @returns null if the template cannot be used for this PDF */
function copyByTemplate(
	paths: PdfProcessPaths,
	qpdf: Qpdf,
	{ source, sizes, order, lineFor }: { source: string; sizes: PageSize[]; order: number[]; lineFor: FittedLine },
): MadeCopy | null {
	// Random, so that no PDF contains it.
	const marker = `Folio${randomBytes(16).toString('hex')}`;
	const pages = order.length;
	addOverlay(paths, qpdf, { source, overlay: writeEmptyOverlayPdf(sizes, marker), order });
	const [base, out] = [join(paths.scratch, 'base.bin'), join(paths.scratch, 'out.pdf')];
	const template = splitTemplate(out, base, { marker, sizes, pages });
	if (template === null) return null;
	const parts = writeParts(template, lineFor);
	joinCopy(base, parts, out);
	const counted = qpdf.run(['--show-npages', `${scratch}/out.pdf`]);
	if (counted.code !== 0 || Number(counted.outputLines[0]) !== pages) return null;
	return { ...saveParts(paths, template, parts), newTemplate: template };
}

function saveParts(paths: PdfProcessPaths, { pages }: CopyTemplate, parts: InsertedPart[]): MadeCopy {
	writeFileSync(join(paths.scratch, 'parts.bin'), Buffer.concat(parts.map(({ bytes }) => bytes)));
	return { pages, inserts: parts.map(({ at, bytes }) => [at, bytes.length]), newTemplate: null };
}

/** Writes `out.pdf`: page n of the source gets the page `order[n]` of the overlay. @throws QpdfError */
function addOverlay(
	paths: PdfProcessPaths,
	qpdf: Qpdf,
	{ source, overlay, order }: { source: string; overlay: Buffer; order: number[] },
): void {
	writeFileSync(join(paths.scratch, 'overlay.pdf'), overlay);
	const target = `${scratch}/out.pdf`;
	const options = ['--overlay', `${scratch}/overlay.pdf`, `--from=${order.map((index) => index + 1).join(',')}`, '--'];
	// The copy has object streams and is not linearised. pdf.js reads the dictionaries of all pages before it shows the
	// first page. Object streams store them together, so that 182 KB of a file of 30 MB are fetched instead of 19 MB.
	const done = requireSuccess(
		qpdf.run(['--object-streams=generate', '--progress', source, ...options, target], (line) => {
			const percent = /write progress: (\d+)%/u.exec(line)?.[1];
			if (percent !== undefined) send({ progress: 0.1 + (Number(percent) / 100) * 0.85 });
		}),
	);
	// Exit code 3: qpdf repaired the file. The result must have no errors.
	if (done.code === 3 && qpdf.run(['--check', target]).code !== 0)
		throw new QpdfError('broken', done.errorLines.slice(0, 3).join(' '));
	if (Number(requireSuccess(qpdf.run(['--show-npages', target])).outputLines[0]) !== order.length)
		throw new QpdfError('broken', 'pages were lost');
}

async function createFittedLine(paths: PdfProcessPaths, line: WatermarkLine): Promise<FittedLine> {
	const harfbuzz = (await import(pathToFileURL(paths.harfbuzz).href)) as typeof import('harfbuzzjs');
	return fitLine(openWatermarkFonts(harfbuzz, paths.fonts), line);
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
	const original = join(paths.scratch, 'in.pdf');
	const read = async (): Promise<PdfResponse> =>
		'outline' in message
			? { outline: readOutline(await openQpdf(paths.qpdf, paths.scratch), message.outline) }
			: watermark(paths, message.line);
	const work = async (): Promise<PdfResponse> => {
		if ('template' in message && message.template !== null) {
			const { template, line } = message;
			return saveParts(paths, template, writeParts(template, await createFittedLine(paths, line)));
		}
		// Before the repair, which counts positions from the header.
		moveHeaderToFront(original);
		return read().catch(async (error: unknown) => {
			if (failureOf(error) !== 'broken') throw error;
			rebuildTable(original);
			requireAllPages(await openQpdf(paths.qpdf, paths.scratch));
			return read();
		});
	};
	work()
		.catch(async (error: unknown) => {
			const failure = failureOf(error);
			const findPage = async () => findBrokenPage(await openQpdf(paths.qpdf, paths.scratch));
			const page = failure === 'broken' ? await findPage().catch(() => undefined) : undefined;
			return { failure, why: String(error), ...(page !== undefined && { page }) };
		})
		.then(send);
});
// Ends this process when the parent process has ended.
process.once('disconnect', () => process.exit());
