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

/** The file itself needs little memory: qpdf reads and writes it on the disk. */
const defaultLimits: ProcessLimits = { workMs: 5 * 60_000, longestMs: 15 * 60_000, mostBytes: 380 * 1024 * 1024 };

/** Reading an outline needs few objects, however large the file is. */
const outlineLimits: ProcessLimits = { workMs: 30_000, longestMs: 90_000, mostBytes: 380 * 1024 * 1024 };

/** Why a PDF cannot be watermarked. */
export type PdfFailure = QpdfFailure;

/** A PDF cannot be watermarked or read. */
export class PdfError extends Error {
	override name = 'PdfError';
	readonly reason: PdfFailure;
	/** Whether the machine lacked time or memory, so that a later attempt may succeed. */
	readonly isTemporary: boolean;
	constructor(reason: PdfFailure, why: string, isPassing = false) {
		super(why);
		this.reason = reason;
		this.isTemporary = isPassing;
	}
}

interface PdfTask {
	storageKey: string;
	/** The text at the foot of every page; null: only check whether the PDF can be watermarked. */
	line: WatermarkLine | null;
	/** An empty folder in which the copy is written as `out.pdf`. */
	folder: string;
	/** Called with the progress, from 0 to 1. */
	onProgress?: (progress: number) => void;
}

/**
 * Adds a line to the foot of every page of a stored PDF, in a separate process that can read and write only the given
 * folder. Outline, links and metadata are kept. The whole copy is rewritten, so that it contains no page without the
 * line, with object streams, so that its first page can be shown without fetching the rest.
 * @returns the number of pages
 * @throws PdfError
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

/** Reads a stored PDF's outline with page numbers, in such a process; maybe empty. @throws PdfError */
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
			// A system that is out of memory kills with SIGKILL.
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
		// Ignores errors of messages that can no longer be delivered.
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
