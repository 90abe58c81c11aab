import type { PDFPageProxy } from 'pdfjs-dist';
import { TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageText } from '../text/pdf-text.ts';
import { groupIntoLines } from '../text/text-lines.ts';
import type { PageBox } from './page-box.ts';
import { calculateCanvasScale } from './page-size.ts';

export interface RenderedPage {
	canvas: HTMLCanvasElement;
	/** Whether the page is dark ink on light paper, and not a full-bleed picture. */
	isLight: boolean;
	/** Positions of pictures that are part of the page: dark mode does not change them. */
	pictures: PageBox[];
}

/** A picture of a smaller share is an ornament; one of a share above `maxPictureShare` is the page itself, a scan. */
const minPictureShare = 0.03;
const maxPictureShare = 0.85;

/**
 * Renders one page at a CSS width onto a canvas that is not shown yet, so that the old page stays until the new one is
 * ready. Rejects when the page cannot be loaded; an abort resolves to null.
 * @param maxPixels upper limit for the pixels of the canvas
 */
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
 * Adds a page's text as selectable, readable lines over its picture.
 * @returns an element for each run of the text; empty if the layout failed, in which case the page is still readable as
 * a picture
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
	// The layer's unit may be larger than a point (ISO 32000-1, 14.11.2).
	container.style.setProperty('--total-scale-factor', String(scale * page.userUnit));
	// For screen readers, and so that the text is measured in the font of its language.
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
 * Lays text out invisibly, with Devanagari in the app's own font. A device without a Devanagari font would search for a
 * fallback for each word's characters, which takes longer than everything else, and the widths of words would differ
 * between devices.
 */
async function withAppTypeface(styles: PageText['content']['styles'], text: string): Promise<typeof styles> {
	if (!/\p{Script=Devanagari}/u.test(text)) return styles;
	// Until the font has loaded, words would be measured in another font.
	await document.fonts.load('16px Mukta', 'क').catch(() => undefined);
	return Object.fromEntries(
		Object.entries(styles).map(([name, style]) => [name, { ...style, fontFamily: `Mukta, ${style.fontFamily}` }]),
	);
}

/** Parses the picture positions from pdf.js: three corners of each picture, as shares of the page. */
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

/** Also accepts 16-bit floats, which pdf.js uses if the browser supports them. */
function isFloatArray(value: unknown): value is Float32Array {
	return value instanceof Float32Array || (ArrayBuffer.isView(value) && value.constructor.name === 'Float16Array');
}

/** Whether at least three of the four corners are light. */
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
