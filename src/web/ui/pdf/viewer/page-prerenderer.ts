import type { PDFDocumentProxy } from 'pdfjs-dist';
import { loadPageText } from '../text/page-text-cache.ts';
import type { PageAppearance } from './render-page.ts';

/** How a page is to be drawn. */
export interface PageRenderRequest {
	document: PDFDocumentProxy;
	/** From 1. */
	page: number;
	widthPx: number;
	/** Of its canvas. */
	pixelsMost: number;
}

/** A page as it was drawn. */
export interface RenderedPage {
	canvas: HTMLCanvasElement;
	appearance: PageAppearance;
}

/** Draws a page onto a canvas of its own. Rejects when it cannot be had; an abort resolves to null. */
export async function renderPageToCanvas(
	{ document: pdf, page, widthPx, pixelsMost }: PageRenderRequest,
	signal: AbortSignal,
): Promise<RenderedPage | null> {
	const [{ renderPage: drawPage }, proxy] = await Promise.all([import('./render-page.ts'), pdf.getPage(page)]);
	if (signal.aborted) return null;
	const canvas = document.createElement('canvas');
	const looks = await drawPage(proxy, widthPx, canvas, pixelsMost, signal);
	return looks === null ? null : { canvas, appearance: looks };
}

/** Whoever reads has looked at a page for so long before the next one is drawn. */
export const prerenderDelayMs = 600;

/** The page that is turned to next, drawn beforehand: turned to, it stands there at once. One at a time. */
export class PagePrerenderer {
	#drawn: { wish: PageRenderRequest; drawing: Promise<RenderedPage | null>; abort: AbortController } | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** Draws a page after a while; on a line where bytes are dear, none before it is asked for. */
	schedule(wish: PageRenderRequest, waitMs: number): void {
		clearTimeout(this.#timer);
		if (isDataSaverOn() || (this.#drawn !== undefined && isSameRequest(this.#drawn.wish, wish))) return;
		this.#timer = setTimeout(() => {
			this.discard();
			const abort = new AbortController();
			// It is asked for once more when it is turned to, and told of then.
			const drawing = renderPageToCanvas(wish, abort.signal).catch(() => null);
			void loadPageText(wish.document, wish.page).catch(() => undefined);
			void drawing.then((drawn) => drawn !== null && performance.mark(`page ${wish.page} drawn ahead`));
			this.#drawn = { wish, drawing, abort };
		}, waitMs);
	}

	/** The page, if it is this one that was drawn; it is the caller's from now on. Null where it is not. */
	async take(wish: PageRenderRequest, signal: AbortSignal): Promise<RenderedPage | null> {
		clearTimeout(this.#timer);
		const drawn = this.#drawn;
		if (drawn === undefined || !isSameRequest(drawn.wish, wish)) return null;
		this.#drawn = undefined;
		signal.addEventListener('abort', () => drawn.abort.abort(), { once: true });
		return drawn.drawing;
	}

	/** Lets go what was drawn: phones have little memory. */
	discard(): void {
		clearTimeout(this.#timer);
		const drawn = this.#drawn;
		this.#drawn = undefined;
		drawn?.abort.abort();
		void drawn?.drawing.then((drawing) => {
			if (drawing !== null) releaseCanvas(drawing.canvas);
		});
	}
}

/** A canvas that is let go keeps its memory until it is collected. */
export function releaseCanvas(canvas: HTMLCanvasElement): void {
	canvas.width = 0;
	canvas.height = 0;
}

function isSameRequest(one: PageRenderRequest, other: PageRenderRequest): boolean {
	return (
		one.document === other.document &&
		one.page === other.page &&
		one.widthPx === other.widthPx &&
		one.pixelsMost === other.pixelsMost
	);
}

/** Source: the Network Information API; not in every browser. */
function isDataSaverOn(): boolean {
	return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
