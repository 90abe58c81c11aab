import type { PageViewport, PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { TextRun } from '../text/pdf-text.ts';
import { loadPageText } from '../text/pdf-text.ts';
import { type Crop, noCrop } from './page-size.ts';

const defaultHeightToWidth = 1.5;
/** Margins are not measured on pages with narrower text, such as a title page. */
const minTextWidthShare = 0.45;
/** Visible margin beside the text, as a share of the page's width. */
const textMarginShare = 0.025;

/** Dimensions of viewed pages. For other pages, the dimensions of the first viewed page are used. */
export interface PageDimensions {
	heightToWidthOf: (page: number) => number;
	record: (page: number, heightToWidth: number) => void;
	/** Bounds of the text; null until measured. Measured once for all pages, so that pages do not jump. */
	crop: Crop | null;
}

/**
 * Measures pages as the user views them; measuring all pages in advance would fetch the whole document.
 * @param isCropWanted whether to measure the margins of `page`
 */
export function usePageDimensions(pdf: PDFDocumentProxy, page: number, isCropWanted: boolean): PageDimensions {
	const [ratios, setRatios] = useState<ReadonlyMap<number, number>>(new Map());
	const [measured, setMeasured] = useState<{ page: number; crop: Crop | null }>();
	const record = useCallback((number: number, heightToWidth: number) => {
		setRatios((known) => (known.get(number) === heightToWidth ? known : new Map(known).set(number, heightToWidth)));
	}, []);
	const isSettled = measured !== undefined && (measured.crop !== null || measured.page === page);

	useEffect(() => {
		if (!isCropWanted || isSettled) return;
		let isOver = false;
		findCrop(pdf, page)
			// The error is ignored: PdfPage reports it.
			.catch(() => null)
			.then((crop) => {
				if (!isOver) setMeasured({ page, crop });
			});
		return () => {
			isOver = true;
		};
	}, [pdf, page, isCropWanted, isSettled]);

	const crop = measured === undefined ? null : (measured.crop ?? noCrop);
	return useMemo(() => {
		const [first = defaultHeightToWidth] = ratios.values();
		return { heightToWidthOf: (number: number) => ratios.get(number) ?? first, record, crop };
	}, [ratios, record, crop]);
}

async function findCrop(pdf: PDFDocumentProxy, page: number): Promise<Crop | null> {
	const [{ runs }, proxy] = await Promise.all([loadPageText(pdf, page), pdf.getPage(page)]);
	const bounds = textBounds(runs, proxy.getViewport({ scale: 1 }));
	if (bounds === null || bounds.right - bounds.left < minTextWidthShare) return null;
	// The margins of left and right pages in a book are mirrored, so the smaller margin is cut off on both sides.
	const margin = Math.max(0, Math.min(bounds.left, 1 - bounds.right) - textMarginShare);
	return { left: margin, right: 1 - margin };
}

/** Returns the bounds of the text without headers and footers; null for a page without text. */
function textBounds(
	runs: readonly TextRun[],
	viewport: Pick<PageViewport, 'width' | 'convertToViewportPoint'>,
): Crop | null {
	let left = 1;
	let right = 0;
	for (const { isArtifact, str, transform, width } of runs) {
		if (isArtifact || str.trim() === '') continue;
		const [a = 1, b = 0, , , x = 0, y = 0] = transform.map(Number);
		const length = Math.hypot(a, b) || 1;
		const [from = 0] = viewport.convertToViewportPoint(x, y);
		const [to = 0] = viewport.convertToViewportPoint(x + (a / length) * width, y + (b / length) * width);
		left = Math.min(left, from / viewport.width, to / viewport.width);
		right = Math.max(right, from / viewport.width, to / viewport.width);
	}
	return right > left ? { left: Math.max(0, left), right: Math.min(1, right) } : null;
}
