import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { limits } from '#contract/core/limits.ts';
import type { Outline } from '#shared/chapter-matching.ts';
import type { Storage } from '../storage/storage.ts';
import { PdfError, type ProcessLimits, runWithinLimits, startRestrictedProcess } from './process-limits.ts';
import type { WatermarkLine } from './watermark-line.ts';
import type { PdfProcessPaths, PdfRequest, PdfResponse } from './watermark-process.ts';

const heapMegabytes = 128;

/** Default limits. Large files need little more memory, because qpdf reads and writes files on the disk. */
const defaultLimits: ProcessLimits = { workMs: 5 * 60_000, longestMs: 15 * 60_000, mostBytes: 380 * 1024 * 1024 };

/** Limits for reading an outline, which needs few objects even of a large file. */
const outlineLimits: ProcessLimits = { workMs: 30_000, longestMs: 90_000, mostBytes: 380 * 1024 * 1024 };

export { PdfError } from './process-limits.ts';
export type { PdfFailure } from './qpdf.ts';

interface PdfTask {
	storageKey: string;
	/** The text at the foot of every page; null to check only whether the PDF can be watermarked. */
	line: WatermarkLine | null;
	/** An empty folder; the copy is written there as `out.pdf`. */
	folder: string;
	/** Called with the progress, from 0 to 1. */
	onProgress?: (progress: number) => void;
}

/**
 * Writes a copy of a stored PDF with a line at the foot of every page. A separate process does this. It can write only
 * to `folder`. Outline, links and metadata are kept. The file is rewritten, so that the copy contains no
 * earlier version of a page. Object streams let a reader show the first page without fetching the rest.
 * @returns the number of pages
 * @throws PdfError
 */
export function watermarkPdf(storage: Storage, work: PdfTask, bounds = defaultLimits) {
	return runInProcess<{ pages: number }>(storage, work, { line: work.line }, bounds);
}

/** Reads the outline of a stored PDF, which may be empty, in a separate process. @throws PdfError */
export async function readPdfOutline(storage: Storage, work: Pick<PdfTask, 'storageKey' | 'folder'>): Promise<Outline> {
	const { outlineLevelsMax: levels, outlineEntriesMax: entries, outlineTitleMaxLength: title } = limits;
	const request = { outline: { levels, entries, title } };
	return (await runInProcess<{ outline: Outline }>(storage, work, request, outlineLimits)).outline;
}

/** @returns the response of the process to this kind of request @throws PdfError */
async function runInProcess<Response extends PdfResponse>(
	storage: Storage,
	work: Pick<PdfTask, 'storageKey' | 'folder' | 'onProgress'>,
	request: PdfRequest,
	bounds: ProcessLimits,
): Promise<Response> {
	await pipeline(await storage.read(work.storageKey), createWriteStream(join(work.folder, 'in.pdf')));
	const child = startChild(work.folder);
	return runWithinLimits<Response>(child, bounds, (resolve, reject) => {
		child.on('message', (message: PdfResponse) => {
			if ('unmarkable' in message) reject(new PdfError(message.unmarkable, message.why));
			else if ('progress' in message) work.onProgress?.(message.progress);
			else resolve(message as Response);
		});
		child.send(request);
	});
}

function startChild(scratch: string): ChildProcess {
	const require = createRequire(import.meta.url);
	const paths: PdfProcessPaths = {
		qpdf: require.resolve('@neslinesli93/qpdf-wasm'),
		harfbuzz: require.resolve('harfbuzzjs'),
		fonts: join(dirname(require.resolve('@fontsource/mukta/package.json')), 'files'),
		scratch,
	};
	return startRestrictedProcess('watermark-process', JSON.stringify(paths), {
		heapMegabytes,
		readable: (script) => [dirname(script), dirname(paths.qpdf), dirname(paths.harfbuzz), paths.fonts, scratch],
		permissions: [`--allow-fs-write=${scratch}`],
	});
}
