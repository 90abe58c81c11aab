import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { limits } from '#contract/core/limits.ts';
import type { Outline } from '#shared/chapter-matching.ts';
import type { Insert } from '../storage/spliced-bytes.ts';
import type { Storage } from '../storage/storage.ts';
import type { CopyTemplate } from './copy-template.ts';
import { PdfError, type ProcessLimits, runWithinLimits, startRestrictedProcess } from './process-limits.ts';
import type { WatermarkLine } from './watermark-line.ts';
import type { MadeCopy, PdfProcessPaths, PdfRequest, PdfResponse } from './watermark-process.ts';

const heapMegabytes = 128;

/** Default limits. Large files need little more memory, because qpdf reads and writes files on the disk. */
const defaultLimits: ProcessLimits = {
	maxCpuMs: 5 * 60_000,
	maxElapsedMs: 15 * 60_000,
	maxMemoryBytes: 380 * 1024 * 1024,
};

/** Limits for reading an outline, which needs few objects even of a large file. */
const outlineLimits: ProcessLimits = { maxCpuMs: 30_000, maxElapsedMs: 90_000, maxMemoryBytes: 380 * 1024 * 1024 };

export { PdfError } from './process-limits.ts';
export type { PdfFailure } from './qpdf.ts';

interface PdfTask {
	storageKey: string;
	/** An empty folder. */
	folder: string;
	/** Called with the progress, from 0 to 1. */
	onProgress?: (progress: number) => void;
}

/** A watermarked copy in the files of `folder`: either parts to insert into the base of a template, or complete. */
export type WatermarkedPdf =
	| { pages: number; isComplete: true; file: string }
	| {
			pages: number;
			isComplete: false;
			file: string;
			inserts: Insert[];
			/** Null if the copy was made of the given template. */
			newTemplate: { layout: CopyTemplate; baseFile: string } | null;
	  };

/**
 * Makes a copy of a stored PDF with a line at the foot of every page. A separate process does this. It can write only
 * to `folder`. Outline, links and metadata are kept. The file is rewritten, so that the copy contains no
 * earlier version of a page. Object streams let a reader show the first page without fetching the rest.
 * @param work `template`: of an earlier copy of the same PDF; then the PDF is not read
 * @throws PdfError
 */
export async function watermarkPdf(
	storage: Storage,
	{ line, template, ...work }: PdfTask & { line: WatermarkLine; template: CopyTemplate | null },
	bounds = defaultLimits,
): Promise<WatermarkedPdf> {
	if (template === null) await fetchPdf(storage, work);
	const { pages, inserts, newTemplate } = await runInProcess<MadeCopy>(work, { line, template }, bounds);
	if (inserts === null) return { pages, isComplete: true, file: join(work.folder, 'out.pdf') };
	const made = newTemplate && { layout: newTemplate, baseFile: join(work.folder, 'base.bin') };
	return { pages, isComplete: false, file: join(work.folder, 'parts.bin'), inserts, newTemplate: made };
}

/** Checks that a stored PDF can be watermarked. @throws PdfError */
export async function checkPdf(storage: Storage, work: PdfTask, bounds: ProcessLimits): Promise<void> {
	await fetchPdf(storage, work);
	await runInProcess<{ pages: number }>(work, { line: null }, bounds);
}

/** Reads the outline of a stored PDF, which may be empty, in a separate process. @throws PdfError */
export async function readPdfOutline(storage: Storage, work: Pick<PdfTask, 'storageKey' | 'folder'>): Promise<Outline> {
	const { outlineLevelsMax: levels, outlineEntriesMax: entries, outlineTitleMaxLength: title } = limits;
	const request = { outline: { levels, entries, title } };
	await fetchPdf(storage, work);
	return (await runInProcess<{ outline: Outline }>(work, request, outlineLimits)).outline;
}

async function fetchPdf(storage: Storage, { storageKey, folder }: PdfTask): Promise<void> {
	await pipeline(await storage.read(storageKey), createWriteStream(join(folder, 'in.pdf')));
}

/** @returns the response of the process to this kind of request @throws PdfError */
async function runInProcess<Response extends PdfResponse>(
	work: Pick<PdfTask, 'folder' | 'onProgress'>,
	request: PdfRequest,
	bounds: ProcessLimits,
): Promise<Response> {
	const child = startChild(work.folder);
	return runWithinLimits<Response>(child, bounds, (resolve, reject) => {
		child.on('message', (message: PdfResponse) => {
			if ('failure' in message) reject(new PdfError(message.failure, message.why, message));
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
