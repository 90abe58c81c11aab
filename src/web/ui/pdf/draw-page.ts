import type { PDFPageProxy } from 'pdfjs-dist';
import { TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { sharpness } from './page-size.ts';

/** The elements that a page is drawn into. */
export interface PageSurface {
	canvas: HTMLCanvasElement;
	text: HTMLDivElement;
}

/** Whether the drawn page is dark ink on light paper; a full-bleed picture is not. */
export interface DrawnPage {
	isLight: boolean;
}

/**
 * Draws one page at a CSS width into fresh elements (so that the old page stands until the new one is ready), with
 * its text as selectable, readable spans over it. Rejects when the page cannot be had; an abort resolves to null.
 */
export async function drawPage(
	page: PDFPageProxy,
	widthPx: number,
	{ canvas, text }: PageSurface,
	signal: AbortSignal,
): Promise<DrawnPage | null> {
	const scale = widthPx / page.getViewport({ scale: 1 }).width;
	const viewport = page.getViewport({ scale });
	const ratio = sharpness(viewport.width, viewport.height, window.devicePixelRatio);
	canvas.width = Math.floor(viewport.width * ratio);
	canvas.height = Math.floor(viewport.height * ratio);
	const drawing = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] });
	signal.addEventListener('abort', () => drawing.cancel(), { once: true });
	try {
		await drawing.promise;
	} catch (error) {
		if (signal.aborted) return null;
		throw error;
	}
	text.style.setProperty('--total-scale-factor', String(scale));
	const layer = new TextLayer({
		textContentSource: page.streamTextContent({ includeMarkedContent: true }),
		container: text,
		viewport,
	});
	signal.addEventListener('abort', () => layer.cancel(), { once: true });
	await layer.render().catch((error: unknown) => {
		// The picture of the page stands; without its text it is still worth reading.
		if (!signal.aborted) console.error(error);
	});
	return signal.aborted ? null : { isLight: isLightPaper(canvas) };
}

function isLightPaper(canvas: HTMLCanvasElement): boolean {
	const context = canvas.getContext('2d');
	if (context === null) return true;
	const inset = 0.02;
	const corners = [
		[inset, inset],
		[1 - inset, inset],
		[inset, 1 - inset],
		[1 - inset, 1 - inset],
	] as const;
	const light = corners.filter(([x, y]) => {
		const [r = 255, g = 255, b = 255] = context.getImageData(
			Math.floor(x * canvas.width),
			Math.floor(y * canvas.height),
			1,
			1,
		).data;
		return Math.min(r, g, b) > 200;
	});
	return light.length >= 3;
}
