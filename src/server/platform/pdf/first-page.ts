import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Storage } from '../storage/storage.ts';
import type { FirstPageRequest, FirstPageResponse } from './first-page-process.ts';
import { enforceLimits, type ProcessLimits, processScriptPath } from './process-limits.ts';

const heapMegabytes = 256;
const pictureMaxBytes = 8 * 1024 * 1024;

/** Limits of drawing; images and canvases use memory outside the heap. */
const defaultLimits: ProcessLimits = { workMs: 15_000, longestMs: 45_000, mostBytes: 600 * 1024 * 1024 };

const limitMessages = { waits: 'waits too long', memory: 'takes too much memory', work: 'takes too long' };

/** The first page of a PDF cannot be drawn: the file is damaged, locked, or needs too much time or memory. */
export class PdfPageError extends Error {
	override name = 'PdfPageError';
	/** Whether the machine lacked time or memory, so that a later attempt may succeed. */
	readonly isTemporary: boolean;
	constructor(message: string, isPassing = false) {
		super(message);
		this.isTemporary = isPassing;
	}
}

/**
 * Draws the first page of a PDF as a PNG that fits into a square. The PDF is opened in a separate process that can
 * read nothing but the drawing code, gets only the byte ranges that it asks for, and is killed when it exceeds its
 * limits of time or memory: a hostile file harms only that process.
 * @throws PdfPageError
 */
export async function drawFirstPage(
	storage: Storage,
	file: { storageKey: string; sizeBytes: number },
	maxPx: number,
	bounds = defaultLimits,
): Promise<Buffer> {
	const child = startChild();
	let stopWatching = () => {};
	try {
		return await new Promise<Buffer>((resolve, reject) => {
			const fail = (why: string, isPassing = false) => reject(new PdfPageError(why, isPassing));
			stopWatching = enforceLimits(child, bounds, (why) => fail(limitMessages[why], why === 'waits'));
			child.once('error', (error) => fail(error.message, true));
			// A system that is out of memory kills with SIGKILL.
			child.once('exit', (code, signal) => fail(`ended by itself: ${signal ?? code}`, signal === 'SIGKILL'));
			child.on('message', (message: FirstPageResponse) => {
				if ('failure' in message) return fail(message.failure);
				if ('page' in message)
					return message.page.length > pictureMaxBytes ? fail('page too large') : resolve(Buffer.from(message.page));
				readRange(storage, file, message)
					.then((bytes) => child.connected && child.send({ start: message.start, bytes } satisfies FirstPageRequest))
					.catch(reject);
			});
			child.send({ sizeBytes: file.sizeBytes, maxPx } satisfies FirstPageRequest);
		});
	} finally {
		stopWatching();
		child.removeAllListeners();
		// Ignores errors of messages that can no longer be delivered.
		child.on('error', () => {});
		child.kill('SIGKILL');
	}
}

function startChild(): ChildProcess {
	const packages = dirname(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')));
	const script = processScriptPath('first-page-process');
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
