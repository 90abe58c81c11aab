import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Storage } from '../storage/storage.ts';
import type { FirstPageRequest, FirstPageResponse } from './first-page-process.ts';
import { PdfError, type ProcessLimits, runWithinLimits, startRestrictedProcess } from './process-limits.ts';

const heapMegabytes = 256;
const pictureMaxBytes = 8 * 1024 * 1024;

/** Default limits. The memory limit exceeds the heap, because images and canvases are outside the heap. */
const defaultLimits: ProcessLimits = { maxCpuMs: 15_000, maxElapsedMs: 45_000, maxMemoryBytes: 600 * 1024 * 1024 };

/**
 * Draws the first page of a PDF as a PNG that fits into a square. A hostile file harms only the separate process that
 * opens it. The separate process may read only the drawing code and the byte ranges that it requests, and is killed
 * when it exceeds a limit.
 * @throws PdfError
 */
export async function drawFirstPage(
	storage: Storage,
	file: { storageKey: string; sizeBytes: number },
	maxPx: number,
	bounds = defaultLimits,
): Promise<Buffer> {
	const packages = dirname(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')));
	const child = startRestrictedProcess('first-page-process', packages, {
		heapMegabytes,
		readable: (script) => [dirname(script), join(packages, 'pdfjs-dist'), join(packages, '@napi-rs')],
		permissions: ['--allow-addons'],
		serialization: 'advanced',
	});
	return runWithinLimits<Buffer>(child, bounds, (resolve, reject) => {
		child.on('message', (message: FirstPageResponse) => {
			if ('failure' in message) return reject(new PdfError('broken', message.failure));
			if ('page' in message) {
				const isTooLarge = message.page.length > pictureMaxBytes;
				return isTooLarge ? reject(new PdfError('heavy', 'page too large')) : resolve(Buffer.from(message.page));
			}
			readRange(storage, file, message)
				.then((bytes) => child.connected && child.send({ start: message.start, bytes } satisfies FirstPageRequest))
				.catch(reject);
		});
		child.send({ sizeBytes: file.sizeBytes, maxPx } satisfies FirstPageRequest);
	});
}

async function readRange(
	storage: Storage,
	file: { storageKey: string; sizeBytes: number },
	{ start, end }: { start: number; end: number },
): Promise<Uint8Array> {
	if (!(start >= 0 && end > start && end <= file.sizeBytes)) throw new PdfError('broken', 'range outside of the file');
	return buffer(await storage.read(file.storageKey, { start, end: end - 1 }));
}
