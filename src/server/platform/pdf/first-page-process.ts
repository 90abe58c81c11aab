import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Message to the process: at first the sizes of file and picture, later the requested byte ranges. */
export type FirstPageRequest = { sizeBytes: number; maxPx: number } | { start: number; bytes: Uint8Array };

/** Message from the process: a request for a byte range, the page as a PNG, or why it cannot be drawn. */
export type FirstPageResponse = { start: number; end: number } | { page: Uint8Array } | { failure: string };

const maxImagePixels = 50_000_000;

// Imported by path, because this process has no permission to resolve packages.
const packages = process.argv[2] ?? '';
const pdfjsFolder = join(packages, 'pdfjs-dist');
const pdfjsSubfolder = (name: string) => `${join(pdfjsFolder, name)}/`;

async function drawPage(sizeBytes: number, maxPx: number): Promise<Uint8Array> {
	const moduleUrl = pathToFileURL(join(pdfjsFolder, 'legacy/build/pdf.mjs')).href;
	const pdfjs = (await import(moduleUrl)) as typeof import('pdfjs-dist');
	const { createCanvas } = createRequire(moduleUrl)('@napi-rs/canvas') as typeof import('@napi-rs/canvas');

	class Ranges extends pdfjs.PDFDataRangeTransport {
		override requestDataRange(start: number, end: number): void {
			send({ start, end });
		}
	}
	const range = new Ranges(sizeBytes, null);
	process.on('message', (message: FirstPageRequest) => {
		if ('bytes' in message) range.onDataRange(message.start, message.bytes);
	});
	const pdf = await pdfjs.getDocument({
		range,
		disableAutoFetch: true,
		disableStream: true,
		cMapUrl: pdfjsSubfolder('cmaps'),
		standardFontDataUrl: pdfjsSubfolder('standard_fonts'),
		wasmUrl: pdfjsSubfolder('wasm'),
		iccUrl: pdfjsSubfolder('iccs'),
		useSystemFonts: false,
		disableFontFace: true,
		enableXfa: false,
		stopAtErrors: false,
		maxImageSize: maxImagePixels,
		verbosity: pdfjs.VerbosityLevel.ERRORS,
	}).promise;
	const page = await pdf.getPage(1);
	const unscaled = page.getViewport({ scale: 1 });
	const viewport = page.getViewport({ scale: Math.min(maxPx / unscaled.width, maxPx / unscaled.height) });
	const sideOf = (px: number) => Math.min(maxPx, Math.max(1, Math.round(px)));
	const canvas = createCanvas(sideOf(viewport.width), sideOf(viewport.height));
	const canvasContext = canvas.getContext('2d') as unknown as CanvasRenderingContext2D;
	await page.render({ canvas: null, canvasContext, viewport, background: '#fff' }).promise;
	return canvas.encodeSync('png');
}

function send(message: FirstPageResponse): void {
	process.send?.(message);
}

process.once('message', (message: FirstPageRequest) => {
	if (!('maxPx' in message)) return;
	drawPage(message.sizeBytes, message.maxPx).then(
		(page) => send({ page }),
		(error: unknown) => send({ failure: String(error) }),
	);
});
// Ends this process when the parent process has ended.
process.once('disconnect', () => process.exit());
