/** Width of a page at 100% zoom, in CSS px. */
const usualPageWidthPx = 668;

const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;

/** On phones, larger canvases fail without an error (in Safari from 16,777,216 pixels). */
export const canvasMaxPixels = 12_000_000;

/**
 * A number is a share of the usual width. `page`: the whole page fits the viewport. `text`: the margins are cut off,
 * because they take a quarter of a phone's screen.
 */
export type Zoom = number | 'page' | 'text';

export interface Crop {
	left: number;
	right: number;
}

export const noCrop: Crop = { left: 0, right: 1 };

/** Approximate equivalent of `text` on a phone. */
const textZoom = 1.3;

/** Returns the next zoom level, or the current one at the end of the scale. `page` is treated as 1. */
export function stepZoom(from: Zoom, direction: 1 | -1): number {
	const zoom = from === 'text' ? textZoom : from === 'page' ? 1 : from;
	const steps = direction === 1 ? zoomSteps.filter((step) => step > zoom) : zoomSteps.filter((step) => step < zoom);
	return (direction === 1 ? steps[0] : steps.at(-1)) ?? zoom;
}

export interface ViewportSize {
	widthPx: number;
	heightPx: number;
}

/** Returns the page's width in CSS px. At zoom 1, a page is never wider than the viewport. */
export function calculatePageWidth(
	viewport: ViewportSize,
	zoom: Zoom,
	heightToWidth: number,
	{ left, right } = noCrop,
): number {
	const usualPx = Math.min(viewport.widthPx, usualPageWidthPx);
	const fittedPx = Math.min(viewport.widthPx, viewport.heightPx / heightToWidth);
	const px = zoom === 'page' ? fittedPx : zoom === 'text' ? usualPx / (right - left) : usualPx * zoom;
	return Math.max(1, Math.round(px));
}

/** Returns the canvas pixels per CSS px: `devicePixelRatio`, or less if the canvas would exceed `maxPixels`. */
export function calculateCanvasScale(
	widthPx: number,
	heightPx: number,
	devicePixelRatio: number,
	maxPixels = canvasMaxPixels,
): number {
	return Math.min(devicePixelRatio, Math.sqrt(maxPixels / (widthPx * heightPx)));
}

/** Returns `page` as an integer from 1 to `pageCount`; 1 if `page` is not a finite number. */
export function clampPage(page: number, pageCount: number): number {
	if (!Number.isFinite(page)) return 1;
	return Math.min(Math.max(1, Math.trunc(page)), Math.max(1, pageCount));
}

/** Returns an integer: 0 on the first page, 100 on the last page. */
export function percentRead(page: number, pageCount: number): number {
	return pageCount <= 1 ? 100 : Math.round(((clampPage(page, pageCount) - 1) / (pageCount - 1)) * 100);
}
