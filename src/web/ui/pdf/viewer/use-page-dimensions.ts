import type { PageViewport, PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { loadPageText } from '../text/page-text-cache.ts';
import type { TextRun } from '../text/pdf-text.ts';
import { type Crop, noCrop } from './page-size.ts';

const defaultHeightToWidth = 1.5;
/** A page whose text is narrower tells little of the others: a title, the end of a chapter. */
const minTextWidthShare = 0.45;
/** Beside the text, as a share of the page. */
const textMarginShare = 0.025;

/** How pages are shaped: known of those that were seen, taken from the first of them for the others. */
export interface PageDimensions {
	/** Height for the width. */
	heightToWidthOf: (page: number) => number;
	record: (page: number, heightToWidth: number) => void;
	/**
	 * Where the text stands between the margins; null until it is known. The same for all pages from the first one on that
	 * tells: they must not jump, and pages that nobody looks at are not fetched for it.
	 */
	crop: Crop | null;
	/** Another one after each thing learnt. */
	version: number;
}

/**
 * The shapes of a document's pages, learnt page by page: to ask 5,000 of them beforehand would fetch them all.
 * @param isCropWanted whether the margins are of interest; `page` is asked for them
 */
export function usePageDimensions(pdf: PDFDocumentProxy, page: number, isCropWanted: boolean): PageDimensions {
	const [version, setVersion] = useState(0);
	const [crop, setCrop] = useState<{ of: PDFDocumentProxy; page: number; crop: Crop; isTold: boolean }>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: another document's pages have other shapes.
	const known = useMemo(() => new Map<number, number>(), [pdf]);
	const learn = useCallback(
		(number: number, heightToWidth: number) => {
			if (known.get(number) === heightToWidth) return;
			known.set(number, heightToWidth);
			setVersion((count) => count + 1);
		},
		[known],
	);
	const asked = crop?.of === pdf ? crop : undefined;
	const isSettled = asked?.isTold === true || asked?.page === page;

	useEffect(() => {
		if (!isCropWanted || isSettled) return;
		let isOver = false;
		findCrop(pdf, page)
			// The page itself will say that it cannot be read.
			.catch(() => null)
			.then((found) => {
				if (!isOver) setCrop({ of: pdf, page, crop: found ?? noCrop, isTold: found !== null });
			});
		return () => {
			isOver = true;
		};
	}, [pdf, page, isCropWanted, isSettled]);

	return useMemo(() => {
		const [first = defaultHeightToWidth] = known.values();
		return {
			heightToWidthOf: (number: number) => known.get(number) ?? first,
			record: learn,
			crop: asked?.crop ?? null,
			version,
		};
	}, [known, learn, version, asked]);
}

/** Null where this page does not tell. */
async function findCrop(pdf: PDFDocumentProxy, page: number): Promise<Crop | null> {
	const [{ runs }, proxy] = await Promise.all([loadPageText(pdf, page), pdf.getPage(page)]);
	const bounds = textBounds(runs, proxy.getViewport({ scale: 1 }));
	if (bounds === null || bounds.right - bounds.left < minTextWidthShare) return null;
	// Left and right pages of a bound book have their margins the other way round.
	const margin = Math.max(0, Math.min(bounds.left, 1 - bounds.right) - textMarginShare);
	return { left: margin, right: 1 - margin };
}

/** From where to where a page's text stands, without what belongs to the page; null for a page without any. */
export function textBounds(
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
