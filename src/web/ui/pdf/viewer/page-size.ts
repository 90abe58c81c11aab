/** How wide a page stands at 100%, in CSS px. Source: the look's measures. */
const usualPageWidthPx = 668;

/** Steps of the zoom, as shares of the page's own width on this screen. */
const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;

/** Pixels of a canvas: phones give up silently on larger ones (Safari at 16,777,216). */
export const canvasMaxPixels = 12_000_000;

/**
 * How large a page is shown: as a share of its usual width; `page`: whole, as large as the desk allows; `text`: its text as
 * wide as the desk, without the margins, which on a phone are a quarter of the screen.
 */
export type Zoom = number | 'page' | 'text';

/** What is shown of a page's width: from where to where, as shares of it. */
export interface Crop {
	left: number;
	right: number;
}

export const noCrop: Crop = { left: 0, right: 1 };

/** About as large as a page without its margins stands on a phone. */
const textZoom = 1.3;

/** The next step up or down; the ends stay where they are. A whole page counts as the usual width. */
export function stepZoom(from: Zoom, direction: 1 | -1): number {
	const zoom = from === 'text' ? textZoom : from === 'page' ? 1 : from;
	const steps = direction === 1 ? zoomSteps.filter((step) => step > zoom) : zoomSteps.filter((step) => step < zoom);
	return (direction === 1 ? steps[0] : steps.at(-1)) ?? zoom;
}

/** CSS size of what a page stands on. */
export interface ViewportSize {
	widthPx: number;
	heightPx: number;
}

/**
 * CSS width of a page: never wider than the desk at 100%, larger with the zoom; or so that the whole page is seen, or that
 * what is left of it is as wide as a page usually is.
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

/** Canvas pixels per CSS px: as sharp as the screen, but within what a browser can hold. */
export function calculateCanvasScale(
	widthPx: number,
	heightPx: number,
	devicePixelRatio: number,
	maxPixels = canvasMaxPixels,
): number {
	return Math.min(devicePixelRatio, Math.sqrt(maxPixels / (widthPx * heightPx)));
}

/** A page that exists: whole, from 1 to the last. */
export function clampPage(page: number, pageCount: number): number {
	if (!Number.isFinite(page)) return 1;
	return Math.min(Math.max(1, Math.trunc(page)), Math.max(1, pageCount));
}

/** Whole percent that has been read when a page is open: 0 on the first, 100 on the last. */
export function percentRead(page: number, pageCount: number): number {
	return pageCount <= 1 ? 100 : Math.round(((clampPage(page, pageCount) - 1) / (pageCount - 1)) * 100);
}
