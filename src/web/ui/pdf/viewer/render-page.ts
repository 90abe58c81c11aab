import type { PDFPageProxy } from 'pdfjs-dist';
import { TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageText } from '../text/pdf-text.ts';
import { groupIntoLines } from '../text/text-lines.ts';
import type { PageBox } from './page-box.ts';
import { calculateCanvasScale } from './page-size.ts';

export interface RenderedPage {
	canvas: HTMLCanvasElement;
	/** Whether the background of the page is light. Only light pages are inverted at night. */
	isLight: boolean;
	/** Positions of the pictures, which keep their colours at night and in sepia. */
	pictures: PageBox[];
}

/** Minimum width and height of a picture, as shares of the page's width and height. Smaller images are ornaments. */
const minPictureShare = 0.03;
/** Maximum area of a picture, as a share of the page's area. A larger image is a scan of the whole page. */
const maxPictureShare = 0.85;

/** Renders a page onto a new canvas. Rejects if the page cannot be loaded; resolves to null after an abort. */
export async function renderPage(
	page: PDFPageProxy,
	widthPx: number,
	maxPixels: number,
	signal: AbortSignal,
): Promise<RenderedPage | null> {
	const canvas = document.createElement('canvas');
	const viewport = page.getViewport({ scale: widthPx / page.getViewport({ scale: 1 }).width });
	const ratio = calculateCanvasScale(viewport.width, viewport.height, window.devicePixelRatio, maxPixels);
	canvas.width = Math.floor(viewport.width * ratio);
	canvas.height = Math.floor(viewport.height * ratio);
	const drawing = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0], recordImages: true });
	signal.addEventListener('abort', () => drawing.cancel(), { once: true });
	try {
		await drawing.promise;
	} catch (error) {
		if (signal.aborted) return null;
		throw error;
	}
	if (signal.aborted) return null;
	return { canvas, isLight: isLightPaper(canvas), pictures: parsePictureBoxes(page.imageCoordinates) };
}

/**
 * Adds a text layer for selection and screen readers.
 * @returns one element for each run; empty after an error or an abort
 */
export async function renderTextLayer(
	page: PDFPageProxy,
	widthPx: number,
	container: HTMLDivElement,
	{ content, runs, text }: PageText,
	lineClass: string,
	signal: AbortSignal,
): Promise<readonly HTMLElement[]> {
	const scale = widthPx / page.getViewport({ scale: 1 }).width;
	// A page's unit may be larger than a point (ISO 32000-1, 14.11.2).
	container.style.setProperty('--total-scale-factor', String(scale * page.userUnit));
	// `lang` affects the font in which the text is measured.
	if (content.lang !== null) container.lang = content.lang;
	const textContentSource = { ...content, styles: await withAppTypeface(content.styles, text) };
	if (signal.aborted) return [];
	const layer = new TextLayer({ textContentSource, container, viewport: page.getViewport({ scale }) });
	signal.addEventListener('abort', () => layer.cancel(), { once: true });
	try {
		await layer.render();
	} catch (error) {
		if (!signal.aborted) console.error(error);
		return [];
	}
	const spans: readonly HTMLElement[] = layer.textDivs;
	for (const [index, { str }] of runs.entries()) {
		const node = spans[index]?.firstChild;
		if (node instanceof Text && node.data !== str) node.data = str;
	}
	groupIntoLines(container, spans, runs, lineClass);
	if (text.trim() !== '') container.dataset.hasText = '';
	return spans;
}

/**
 * Sets the app's font for Devanagari in the text layer. Without a Devanagari font on the device, the browser would
 * search a fallback font for each word, which is slow.
 */
async function withAppTypeface(styles: PageText['content']['styles'], text: string): Promise<typeof styles> {
	if (!/\p{Script=Devanagari}/u.test(text)) return styles;
	// Before the font has loaded, words would be measured in another font.
	await document.fonts.load('16px Mukta', 'क').catch(() => undefined);
	return Object.fromEntries(
		Object.entries(styles).map(([name, style]) => [name, { ...style, fontFamily: `Mukta, ${style.fontFamily}` }]),
	);
}

/** pdf.js returns three corners of each picture, as shares of the page's size. */
function parsePictureBoxes(coordinates: unknown): PageBox[] {
	if (!isFloatArray(coordinates)) return [];
	const boxes: PageBox[] = [];
	for (let at = 0; at + 5 < coordinates.length; at += 6) {
		const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0] = coordinates.slice(at, at + 6);
		const [left, top] = [Math.max(0, Math.min(ax, bx, cx)), Math.max(0, Math.min(ay, by, cy))];
		const [right, bottom] = [Math.min(1, Math.max(ax, bx, cx)), Math.min(1, Math.max(ay, by, cy))];
		const isPicture = right - left > minPictureShare && bottom - top > minPictureShare;
		if (isPicture && (right - left) * (bottom - top) < maxPictureShare) boxes.push([left, top, right, bottom]);
	}
	return boxes;
}

/** pdf.js uses 16-bit floats if the browser supports them. */
function isFloatArray(value: unknown): value is Float32Array {
	return value instanceof Float32Array || (ArrayBuffer.isView(value) && value.constructor.name === 'Float16Array');
}

/** Whether at least three corners of the page are light. */
function isLightPaper(canvas: HTMLCanvasElement): boolean {
	const context = canvas.getContext('2d');
	if (context === null) return true;
	const sides = [0.02, 0.98];
	const corners = sides.flatMap((x) => sides.map((y) => [Math.floor(x * canvas.width), Math.floor(y * canvas.height)]));
	const light = corners.filter(([x = 0, y = 0]) => {
		const [r = 255, g = 255, b = 255] = context.getImageData(x, y, 1, 1).data;
		return Math.min(r, g, b) > 200;
	});
	return light.length >= 3;
}
