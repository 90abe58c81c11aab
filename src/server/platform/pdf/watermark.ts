import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { limits } from '#contract/core/limits.ts';
import type { Outline } from '#shared/chapter-matching.ts';
import type { Storage } from '../storage/storage.ts';
import { enforceLimits, type ProcessLimits, processScriptPath } from './process-limits.ts';
import type { QpdfFailure } from './qpdf.ts';
import type { WatermarkLine } from './watermark-line.ts';
import type { PdfProcessPaths, PdfRequest, PdfResponse } from './watermark-process.ts';

const heapMegabytes = 128;

/** The file itself takes little of it: it is read and written where it lies. */
const defaultLimits: ProcessLimits = { workMs: 5 * 60_000, longestMs: 15 * 60_000, mostBytes: 380 * 1024 * 1024 };

/** An outline is told from a few objects, however large the file is. */
const outlineLimits: ProcessLimits = { workMs: 30_000, longestMs: 90_000, mostBytes: 380 * 1024 * 1024 };

/** Why there is no marked copy of a PDF. */
export type PdfFailure = QpdfFailure;

/** A PDF that cannot be marked. */
export class PdfError extends Error {
	override name = 'MarkError';
	readonly reason: PdfFailure;
	/** The machine had no time or room for it: at another time it may well be marked. */
	readonly isTemporary: boolean;
	constructor(reason: PdfFailure, why: string, isPassing = false) {
		super(why);
		this.reason = reason;
		this.isTemporary = isPassing;
	}
}

export interface PdfTask {
	/** The original. */
	storageKey: string;
	/** Stands at the foot of every page; null: only looks whether the PDF can be marked. */
	line: WatermarkLine | null;
	/** An empty folder; `out.pdf` in it is the copy. */
	folder: string;
	/** Hears how far it is, from 0 to 1. */
	onProgress?: (progress: number) => void;
}

/**
 * Lays a line over the foot of every page of a stored PDF, in a process of its own that may read and write nothing but
 * the given folder. Outline, links and metadata stay; the copy is written anew as a whole, so that nothing of the
 * unmarked pages is left in it, and such that its first page is read without the rest.
 * @returns how many pages there are @throws PdfError
 */
export async function watermarkPdf(
	storage: Storage,
	work: PdfTask,
	bounds = defaultLimits,
): Promise<{ pages: number }> {
	const done = await runInProcess(storage, work, { line: work.line }, bounds);
	if (!('pages' in done)) throw new PdfError('broken', 'answered something else');
	return done;
}

/**
 * The outline of a stored PDF with the pages it leads to, read in the same way; without entries where there is none.
 * @throws PdfError
 */
export async function readPdfOutline(
	storage: Storage,
	work: Pick<PdfTask, 'storageKey' | 'folder'>,
	bounds: ProcessLimits = outlineLimits,
): Promise<Outline> {
	const { outlineLevelsMax: levels, outlineEntriesMax: entries, outlineTitleMaxLength: title } = limits;
	const done = await runInProcess(storage, work, { outline: { levels, entries, title } }, bounds);
	if (!('outline' in done)) throw new PdfError('broken', 'answered something else');
	return done.outline;
}

type PdfResult = Exclude<PdfResponse, { progress: number } | { unmarkable: QpdfFailure }>;

/** @throws PdfError */
async function runInProcess(
	storage: Storage,
	work: Pick<PdfTask, 'storageKey' | 'folder' | 'onProgress'>,
	request: PdfRequest,
	bounds: ProcessLimits,
): Promise<PdfResult> {
	await pipeline(await storage.read(work.storageKey), createWriteStream(join(work.folder, 'in.pdf')));
	const child = startChild(work.folder);
	let stopWatching = () => {};
	try {
		return await new Promise((resolve, reject) => {
			const fail = (reason: PdfFailure, why: string, isPassing = false) => reject(new PdfError(reason, why, isPassing));
			stopWatching = enforceLimits(child, bounds, (bound) => fail('heavy', bound, bound === 'waits'));
			child.once('error', (error) => fail('heavy', error.message, true));
			// What kills like this is a system out of memory.
			child.once('exit', (code, signal) => fail('heavy', `ended by itself: ${signal ?? code}`, signal === 'SIGKILL'));
			child.on('message', (message: PdfResponse) => {
				if ('unmarkable' in message) fail(message.unmarkable, message.why);
				else if ('progress' in message) work.onProgress?.(message.progress);
				else resolve(message);
			});
			child.send(request);
		});
	} finally {
		stopWatching();
		child.removeAllListeners();
		// What is still on its way to it no longer matters.
		child.on('error', () => {});
		child.kill('SIGKILL');
	}
}

function startChild(scratch: string): ChildProcess {
	const packages = createRequire(import.meta.url);
	const paths: PdfProcessPaths = {
		qpdf: packages.resolve('@neslinesli93/qpdf-wasm'),
		harfbuzz: packages.resolve('harfbuzzjs'),
		fonts: join(dirname(packages.resolve('@fontsource/mukta/package.json')), 'files'),
		scratch,
	};
	const script = processScriptPath('watermark-process');
	const readable = [dirname(script), dirname(paths.qpdf), dirname(paths.harfbuzz), paths.fonts, scratch];
	return fork(script, [JSON.stringify(paths)], {
		execArgv: [
			'--no-warnings',
			`--max-old-space-size=${heapMegabytes}`,
			'--permission',
			...readable.map((path) => `--allow-fs-read=${path}`),
			`--allow-fs-write=${scratch}`,
		],
		env: {},
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
	});
}
