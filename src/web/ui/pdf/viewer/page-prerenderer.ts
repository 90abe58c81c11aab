import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type PdfLink, readLinks } from '../document/pdf-links.ts';
import { loadPageText } from '../text/pdf-text.ts';
import type { RenderedPage } from './render-page.ts';

interface PageRenderRequest {
	document: PDFDocumentProxy;
	page: number;
	widthPx: number;
	pixelsMost: number;
}

/** Rejects if the page cannot be loaded; resolves to null after an abort. */
export async function renderPageToCanvas(
	{ document: pdf, page, widthPx, pixelsMost }: PageRenderRequest,
	signal: AbortSignal,
): Promise<RenderedPage | null> {
	const [{ renderPage }, proxy] = await Promise.all([import('./render-page.ts'), pdf.getPage(page)]);
	return signal.aborted ? null : renderPage(proxy, widthPx, pixelsMost, signal);
}

/** The layer over the image of a page: its text, for selection and screen readers, and its links. */
export interface PageLayer {
	element: HTMLDivElement;
	links: readonly PdfLink[];
	/** One element for each run of the page's text. */
	spans: readonly HTMLElement[];
	starts: readonly number[];
}

/** Rejects if the page's text cannot be loaded; resolves to null after an abort. */
export async function renderPageLayer(
	{ document: pdf, page, widthPx }: PageRenderRequest,
	lineClass: string,
	signal: AbortSignal,
): Promise<PageLayer | null> {
	const [{ renderTextLayer }, proxy] = await Promise.all([import('./render-page.ts'), pdf.getPage(page)]);
	const [text, links] = await Promise.all([loadPageText(pdf, page), readLinks(pdf, proxy)]);
	if (signal.aborted) return null;
	const element = document.createElement('div');
	const spans = await renderTextLayer(proxy, widthPx, element, text, lineClass, signal);
	return signal.aborted ? null : { element, links, spans, starts: text.starts };
}

/** A page that was rendered in advance. */
interface PrerenderedPage {
	request: PageRenderRequest;
	rendering: Promise<RenderedPage | null>;
	layer: Promise<PageLayer | null>;
	abort: AbortController;
}

/** The next page is rendered after the current page has been viewed for this time. */
export const prerenderDelayMs = 600;

/** Renders the next page with its text in advance, so that turning the page takes no time. Stores only one page. */
export class PagePrerenderer {
	#current: PrerenderedPage | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	readonly #lineClass: string;

	constructor(lineClass: string) {
		this.#lineClass = lineClass;
	}

	/** Renders a page after a delay, unless the page is already rendered or the browser is set to save data. */
	schedule(request: PageRenderRequest, waitMs: number): void {
		clearTimeout(this.#timer);
		if (isDataSaverOn() || this.#isCurrent(request)) return;
		this.#timer = setTimeout(() => {
			this.discard();
			const abort = new AbortController();
			// The error is ignored: when the user turns to the page, the page is requested again and a new error is reported.
			const rendering = renderPageToCanvas(request, abort.signal).catch(() => null);
			const layer = rendering.then(() => renderPageLayer(request, this.#lineClass, abort.signal)).catch(() => null);
			void rendering.then((page) => page !== null && performance.mark(`page ${request.page} drawn ahead`));
			this.#current = { request, rendering, layer, abort };
		}, waitMs);
	}

	/** Returns the rendered page if `request` matches; otherwise null. The caller must release the canvas. */
	take(request: PageRenderRequest, signal: AbortSignal): Pick<PrerenderedPage, 'rendering' | 'layer'> | null {
		clearTimeout(this.#timer);
		const current = this.#current;
		if (current === undefined || !this.#isCurrent(request)) return null;
		this.#current = undefined;
		signal.addEventListener('abort', () => current.abort.abort(), { once: true });
		return current;
	}

	/** Releases the rendered page. */
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

/** Frees the memory at once instead of at the next garbage collection. */
export function releaseCanvas(canvas: HTMLCanvasElement): void {
	canvas.width = 0;
	canvas.height = 0;
}

/** Source: the Network Information API, which not every browser supports. */
function isDataSaverOn(): boolean {
	return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
