/** Width of a page at 100%, in CSS px. Source: the design's measures. */
const usualPageWidthPx = 668;

const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;

/** Maximum number of canvas pixels: phones fail without an error on larger canvases (Safari at 16,777,216). */
export const canvasMaxPixels = 12_000_000;

/**
 * Zoom of a page: a share of its usual width; `page`: the whole page, as large as the viewport allows; `text`: the text
 * as wide as the viewport, without the margins, which take a quarter of a phone's screen.
 */
export type Zoom = number | 'page' | 'text';

export interface Crop {
	left: number;
	right: number;
}

export const noCrop: Crop = { left: 0, right: 1 };

/** Approximate zoom of a page without its margins on a phone. */
const textZoom = 1.3;

/** Returns the next zoom level up or down; at the ends it does not change. `page` counts as the usual width. */
export function stepZoom(from: Zoom, direction: 1 | -1): number {
	const zoom = from === 'text' ? textZoom : from === 'page' ? 1 : from;
	const steps = direction === 1 ? zoomSteps.filter((step) => step > zoom) : zoomSteps.filter((step) => step < zoom);
	return (direction === 1 ? steps[0] : steps.at(-1)) ?? zoom;
}

export interface ViewportSize {
	widthPx: number;
	heightPx: number;
}

/**
 * Returns the CSS width of a page: at 100% never wider than the viewport, larger with the zoom; or so that the whole
 * page fits, or so that the visible part is as wide as a page usually is.
 */
export function calculatePageWidth(
	viewport: ViewportSize,
	zoom: Zoom,
	heightToWidth: number,
	{ left, right } = noCrop,
): number {
	const usualPx = Math.min(viewport.widthPx, usualPageWidthPx);
	if (zoom === 'page') return atLeastOne(Math.min(viewport.widthPx, viewport.heightPx / heightToWidth));
	return atLeastOne(zoom === 'text' ? usualPx / (right - left) : usualPx * zoom);
}

function atLeastOne(px: number): number {
	return Math.max(1, Math.round(px));
}

/** Returns the canvas pixels per CSS px: as many as the screen has, within the limit for a canvas. */
export function calculateCanvasScale(
	widthPx: number,
	heightPx: number,
	devicePixelRatio: number,
	maxPixels = canvasMaxPixels,
): number {
	return Math.min(devicePixelRatio, Math.sqrt(maxPixels / (widthPx * heightPx)));
}

/** Returns the nearest existing page number: an integer from 1 to the last page. */
export function clampPage(page: number, pageCount: number): number {
	if (!Number.isFinite(page)) return 1;
	return Math.min(Math.max(1, Math.trunc(page)), Math.max(1, pageCount));
}

/** Returns the percentage read when a page is open, as an integer: 0 on the first page, 100 on the last. */
export function percentRead(page: number, pageCount: number): number {
	return pageCount <= 1 ? 100 : Math.round(((clampPage(page, pageCount) - 1) / (pageCount - 1)) * 100);
}
