import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { pageTextOf } from './page-cache.ts';
import { type Crop, noCrop } from './page-size.ts';
import { textBounds } from './text-bounds.ts';

const usualHeightToWidth = 1.5;
/** A page whose text is narrower tells little of the others: a title, the end of a chapter. */
const tellingWidth = 0.45;
/** Pages that are asked for how wide the text is. */
const askedMost = 4;
/** Beside the text, as a share of the page. */
const crumb = 0.025;

/** How pages are shaped: known of those that were seen, taken from the first of them for the others. */
export interface PageShapes {
	/** Height for the width. */
	of: (page: number) => number;
	learn: (page: number, heightToWidth: number) => void;
	/** Where the text stands between the margins; null until it is known. The same for all pages: they must not jump. */
	crop: Crop | null;
	/** Another one after each thing learnt. */
	version: number;
}

/**
 * The shapes of a document's pages, learnt page by page: to ask 5,000 of them beforehand would fetch them all.
 * @param isCropWanted whether the margins are of interest; asked for from `page` on
 */
export function usePageShapes(pdf: PDFDocumentProxy, page: number, isCropWanted: boolean): PageShapes {
	const [version, setVersion] = useState(0);
	const [crop, setCrop] = useState<{ of: PDFDocumentProxy; crop: Crop }>();
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
	const isCropKnown = crop?.of === pdf;

	// biome-ignore lint/correctness/useExhaustiveDependencies: asked once, wherever one begins.
	useEffect(() => {
		if (!isCropWanted || isCropKnown) return;
		let isOver = false;
		findCrop(pdf, page)
			// The page itself will say that it cannot be read.
			.catch(() => noCrop)
			.then((found) => {
				if (!isOver) setCrop({ of: pdf, crop: found });
			});
		return () => {
			isOver = true;
		};
	}, [pdf, isCropWanted, isCropKnown]);

	return useMemo(() => {
		const [first = usualHeightToWidth] = known.values();
		return {
			of: (number: number) => known.get(number) ?? first,
			learn,
			crop: isCropKnown ? crop.crop : null,
			version,
		};
	}, [known, learn, version, crop, isCropKnown]);
}

async function findCrop(pdf: PDFDocumentProxy, from: number): Promise<Crop> {
	let widest: Crop | null = null;
	for (let page = from; page < from + askedMost && page <= pdf.numPages; page++) {
		const [{ runs }, proxy] = await Promise.all([pageTextOf(pdf, page), pdf.getPage(page)]);
		const bounds = textBounds(runs, proxy.getViewport({ scale: 1 }));
		if (bounds === null) continue;
		if (widest === null || bounds.right - bounds.left > widest.right - widest.left) widest = bounds;
		if (widest.right - widest.left >= tellingWidth) break;
	}
	if (widest === null || widest.right - widest.left < tellingWidth) return noCrop;
	// Left and right pages of a bound book have their margins the other way round.
	const margin = Math.max(0, Math.min(widest.left, 1 - widest.right) - crumb);
	return { left: margin, right: 1 - margin };
}
