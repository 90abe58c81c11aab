import type { PDFDocumentProxy } from 'pdfjs-dist';
import { loadPageText } from '../text/pdf-text.ts';
import type { RenderedPage } from './render-page.ts';

interface PageRenderRequest {
	document: PDFDocumentProxy;
	page: number;
	widthPx: number;
	/** Upper limit for the pixels of the canvas. */
	pixelsMost: number;
}

/** Renders a page onto a new canvas. Rejects when the page cannot be loaded; an abort resolves to null. */
export async function renderPageToCanvas(
	{ document: pdf, page, widthPx, pixelsMost }: PageRenderRequest,
	signal: AbortSignal,
): Promise<RenderedPage | null> {
	const [{ renderPage }, proxy] = await Promise.all([import('./render-page.ts'), pdf.getPage(page)]);
	return signal.aborted ? null : renderPage(proxy, widthPx, pixelsMost, signal);
}

/** How long a page has been viewed before the next one is rendered. */
export const prerenderDelayMs = 600;

/** Renders the next page in advance, one at a time, so that it shows at once when the user turns to it. */
export class PagePrerenderer {
	#current: { request: PageRenderRequest; rendering: Promise<RenderedPage | null>; abort: AbortController } | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** Renders a page after a delay; not on a connection that is set to save data. */
	schedule(request: PageRenderRequest, waitMs: number): void {
		clearTimeout(this.#timer);
		if (isDataSaverOn() || this.#isCurrent(request)) return;
		this.#timer = setTimeout(() => {
			this.discard();
			const abort = new AbortController();
			// An error is ignored here: the page is requested again, and the error reported, when the user turns to it.
			const rendering = renderPageToCanvas(request, abort.signal).catch(() => null);
			void loadPageText(request.document, request.page).catch(() => undefined);
			void rendering.then((page) => page !== null && performance.mark(`page ${request.page} drawn ahead`));
			this.#current = { request, rendering, abort };
		}, waitMs);
	}

	/** Returns the rendered page if it is the requested one, and hands its canvas to the caller; otherwise null. */
	async take(request: PageRenderRequest, signal: AbortSignal): Promise<RenderedPage | null> {
		clearTimeout(this.#timer);
		const current = this.#current;
		if (current === undefined || !this.#isCurrent(request)) return null;
		this.#current = undefined;
		signal.addEventListener('abort', () => current.abort.abort(), { once: true });
		return current.rendering;
	}

	/** Releases the rendered page: phones have little memory. */
	discard(): void {
		clearTimeout(this.#timer);
		this.#current?.abort.abort();
		void this.#current?.rendering.then((page) => page && releaseCanvas(page.canvas));
		this.#current = undefined;
	}

	#isCurrent(request: PageRenderRequest): boolean {
		const current = this.#current?.request;
		const keys = ['document', 'page', 'widthPx', 'pixelsMost'] as const;
		return current !== undefined && keys.every((key) => current[key] === request[key]);
	}
}

/** Frees the memory of a canvas, which would otherwise be kept until garbage collection. */
export function releaseCanvas(canvas: HTMLCanvasElement): void {
	canvas.width = 0;
	canvas.height = 0;
}

/** Whether the browser is set to save data. Source: the Network Information API; not in every browser. */
function isDataSaverOn(): boolean {
	return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
