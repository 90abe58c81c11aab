import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Storage } from '../storage/storage.ts';
import type { FromPage, ToPage } from './first-page-process.ts';

const watchEveryMs = 200;
const heapMegabytes = 256;
const pictureMaxBytes = 8 * 1024 * 1024;
const pageSize = 4096;

/** What drawing may take: of the processor, of the clock, of memory altogether (pictures and canvases lie outside the heap). */
export interface PageBounds {
	workMs: number;
	longestMs: number;
	mostBytes: number;
}

const usualBounds: PageBounds = { workMs: 15_000, longestMs: 45_000, mostBytes: 600 * 1024 * 1024 };

/** A PDF whose first page cannot be drawn: broken, locked, too slow, too greedy. */
export class PdfPageError extends Error {
	override name = 'PdfPageError';
	/** The machine had no time or room for it: at another time it may well be drawn. */
	readonly isPassing: boolean;
	constructor(message: string, isPassing = false) {
		super(message);
		this.isPassing = isPassing;
	}
}

/**
 * Draws the first page of a PDF as a PNG that fits into a square. The PDF is opened in a process of its own that may
 * read nothing but the drawing code, gets only the ranges it asks for, and is ended when it takes too long or too much
 * memory: a hostile file harms nobody but itself.
 * @throws PdfPageError
 */
export async function drawFirstPage(
	storage: Storage,
	file: { storageKey: string; sizeBytes: number },
	maxPx: number,
	bounds = usualBounds,
): Promise<Buffer> {
	const child = startChild();
	const guards: NodeJS.Timeout[] = [];
	try {
		return await new Promise<Buffer>((resolve, reject) => {
			const fail = (why: string, isPassing = false) => reject(new PdfPageError(why, isPassing));
			// It was hardly let work, by other work or by a slow disk.
			guards.push(setTimeout(fail, bounds.longestMs, 'waits too long', true));
			guards.push(setInterval(() => void stopWhenGreedy(child, bounds, fail), watchEveryMs));
			child.once('error', (error) => fail(error.message, true));
			// What kills like this is a system out of memory.
			child.once('exit', (code, signal) => fail(`ended by itself: ${signal ?? code}`, signal === 'SIGKILL'));
			child.on('message', (message: FromPage) => {
				if ('failure' in message) return fail(message.failure);
				if ('page' in message)
					return message.page.length > pictureMaxBytes ? fail('page too large') : resolve(Buffer.from(message.page));
				readRange(storage, file, message)
					.then((bytes) => child.connected && child.send({ start: message.start, bytes } satisfies ToPage))
					.catch(reject);
			});
			child.send({ sizeBytes: file.sizeBytes, maxPx } satisfies ToPage);
		});
	} finally {
		for (const guard of guards) clearTimeout(guard);
		child.removeAllListeners();
		// What is still on its way to it no longer matters.
		child.on('error', () => {});
		child.kill('SIGKILL');
	}
}

function startChild(): ChildProcess {
	const packages = dirname(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')));
	const script = childScript();
	const readable = [script, join(packages, 'pdfjs-dist'), join(packages, '@napi-rs')];
	return fork(script, [packages], {
		execArgv: [
			'--no-warnings',
			`--max-old-space-size=${heapMegabytes}`,
			'--permission',
			'--allow-addons',
			...readable.map((path) => `--allow-fs-read=${path}`),
		],
		env: {},
		serialization: 'advanced',
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
	});
}

/** Beside this file as source; as built, in the folder of the server's bundle or the one above its chunks. */
function childScript(): string {
	const here = import.meta.dirname;
	const places = [join(here, 'first-page-process.ts'), join(here, 'first-page-process.js')];
	return places.find((path) => existsSync(path)) ?? join(here, '..', 'first-page-process.js');
}

async function readRange(
	storage: Storage,
	file: { storageKey: string; sizeBytes: number },
	{ start, end }: { start: number; end: number },
): Promise<Uint8Array> {
	if (!(start >= 0 && end > start && end <= file.sizeBytes)) throw new PdfPageError('range outside of the file');
	const chunks: Buffer[] = [];
	for await (const chunk of await storage.read(file.storageKey, { start, end: end - 1 })) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

/** Where the system tells what a process takes (Linux); elsewhere the heap's limit and the clock must do. */
async function stopWhenGreedy(child: ChildProcess, bounds: PageBounds, fail: (why: string) => void): Promise<void> {
	const read = (name: string) => readFile(`/proc/${child.pid}/${name}`, 'latin1').catch(() => '');
	const [statm, stat] = await Promise.all([read('statm'), read('stat')]);
	if (Number(statm.split(' ')[1] ?? 0) * pageSize > bounds.mostBytes) fail('takes too much memory');
	// proc_pid_stat(5): utime and stime are the 12th and 13th field after the name, in ticks of 10 ms.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	if ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10 > bounds.workMs) fail('takes too long');
}
