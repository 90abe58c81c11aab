import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { DrawnPage } from './draw-page.ts';
import { pageTextOf } from './page-cache.ts';

/** How a page is to be drawn. */
export interface PageToDraw {
	document: PDFDocumentProxy;
	/** From 1. */
	page: number;
	widthPx: number;
	/** Of its canvas. */
	pixelsMost: number;
}

/** A page as it was drawn. */
export interface PageDrawing {
	canvas: HTMLCanvasElement;
	looks: DrawnPage;
}

/** Draws a page onto a canvas of its own. Rejects when it cannot be had; an abort resolves to null. */
export async function drawPageToCanvas(
	{ document: pdf, page, widthPx, pixelsMost }: PageToDraw,
	signal: AbortSignal,
): Promise<PageDrawing | null> {
	const [{ drawPage }, proxy] = await Promise.all([import('./draw-page.ts'), pdf.getPage(page)]);
	if (signal.aborted) return null;
	const canvas = document.createElement('canvas');
	const looks = await drawPage(proxy, widthPx, canvas, pixelsMost, signal);
	return looks === null ? null : { canvas, looks };
}

/** Whoever reads has looked at a page for so long before the next one is drawn. */
export const restMs = 600;

/** The page that is turned to next, drawn beforehand: turned to, it stands there at once. One at a time. */
export class PageAhead {
	#drawn: { wish: PageToDraw; drawing: Promise<PageDrawing | null>; abort: AbortController } | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** Draws a page after a while; on a line where bytes are dear, none before it is asked for. */
	prepare(wish: PageToDraw, waitMs: number): void {
		clearTimeout(this.#timer);
		if (isLineDear() || (this.#drawn !== undefined && isSame(this.#drawn.wish, wish))) return;
		this.#timer = setTimeout(() => {
			this.drop();
			const abort = new AbortController();
			// It is asked for once more when it is turned to, and told of then.
			const drawing = drawPageToCanvas(wish, abort.signal).catch(() => null);
			void pageTextOf(wish.document, wish.page).catch(() => undefined);
			void drawing.then((drawn) => drawn !== null && performance.mark(`page ${wish.page} drawn ahead`));
			this.#drawn = { wish, drawing, abort };
		}, waitMs);
	}

	/** The page, if it is this one that was drawn; it is the caller's from now on. Null where it is not. */
	async take(wish: PageToDraw, signal: AbortSignal): Promise<PageDrawing | null> {
		clearTimeout(this.#timer);
		const drawn = this.#drawn;
		if (drawn === undefined || !isSame(drawn.wish, wish)) return null;
		this.#drawn = undefined;
		signal.addEventListener('abort', () => drawn.abort.abort(), { once: true });
		return drawn.drawing;
	}

	/** Lets go what was drawn: phones have little memory. */
	drop(): void {
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

function isSame(one: PageToDraw, other: PageToDraw): boolean {
	return (
		one.document === other.document &&
		one.page === other.page &&
		one.widthPx === other.widthPx &&
		one.pixelsMost === other.pixelsMost
	);
}

/** Source: the Network Information API; not in every browser. */
function isLineDear(): boolean {
	return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
