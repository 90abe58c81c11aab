import type { PDFDocumentProxy } from 'pdfjs-dist';
import { loadPageText } from '../text/page-text-cache.ts';
import type { PageAppearance } from './render-page.ts';

/** What to render, and how. */
interface PageRenderRequest {
	document: PDFDocumentProxy;
	/** Page number, from 1. */
	page: number;
	widthPx: number;
	/** Upper limit for the pixels of the canvas. */
	pixelsMost: number;
}

/** A rendered page. */
interface RenderedPage {
	canvas: HTMLCanvasElement;
	appearance: PageAppearance;
}

/** Renders a page onto a new canvas. Rejects when the page cannot be loaded; an abort resolves to null. */
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

/** How long a page has been viewed before the next one is rendered. */
export const prerenderDelayMs = 600;

/** Renders the next page in advance, one at a time, so that it shows at once when the user turns to it. */
export class PagePrerenderer {
	#drawn: { wish: PageRenderRequest; drawing: Promise<RenderedPage | null>; abort: AbortController } | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** Renders a page after a delay; not on a connection that is set to save data. */
	schedule(wish: PageRenderRequest, waitMs: number): void {
		clearTimeout(this.#timer);
		if (isDataSaverOn() || (this.#drawn !== undefined && isSameRequest(this.#drawn.wish, wish))) return;
		this.#timer = setTimeout(() => {
			this.discard();
			const abort = new AbortController();
			// An error is ignored here: the page is requested again, and the error reported, when the user turns to it.
			const drawing = renderPageToCanvas(wish, abort.signal).catch(() => null);
			void loadPageText(wish.document, wish.page).catch(() => undefined);
			void drawing.then((drawn) => drawn !== null && performance.mark(`page ${wish.page} drawn ahead`));
			this.#drawn = { wish, drawing, abort };
		}, waitMs);
	}

	/** Returns the rendered page if it is the requested one, and hands its canvas to the caller; otherwise null. */
	async take(wish: PageRenderRequest, signal: AbortSignal): Promise<RenderedPage | null> {
		clearTimeout(this.#timer);
		const drawn = this.#drawn;
		if (drawn === undefined || !isSameRequest(drawn.wish, wish)) return null;
		this.#drawn = undefined;
		signal.addEventListener('abort', () => drawn.abort.abort(), { once: true });
		return drawn.drawing;
	}

	/** Releases the rendered page: phones have little memory. */
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

/** Frees the memory of a canvas, which would otherwise be kept until garbage collection. */
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

/** Whether the browser is set to save data. Source: the Network Information API; not in every browser. */
function isDataSaverOn(): boolean {
	return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
