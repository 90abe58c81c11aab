import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useMemo, useState } from 'react';

const usualHeightToWidth = 1.5;

/** How high pages are for their width: known of those that were seen, taken from the first of them for the others. */
export interface PageShapes {
	of: (page: number) => number;
	learn: (page: number, heightToWidth: number) => void;
	/** Another one after each thing learnt. */
	version: number;
}

/** The shapes of a document's pages, learnt page by page: to ask 5,000 of them beforehand would fetch them all. */
export function usePageShapes(pdf: PDFDocumentProxy): PageShapes {
	const [version, setVersion] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another document's pages have other shapes.
	const known = useMemo(() => new Map<number, number>(), [pdf]);
	const learn = useCallback(
		(page: number, heightToWidth: number) => {
			if (known.get(page) === heightToWidth) return;
			known.set(page, heightToWidth);
			setVersion((count) => count + 1);
		},
		[known],
	);
	return useMemo(() => {
		const [first = usualHeightToWidth] = known.values();
		return { of: (page: number) => known.get(page) ?? first, learn, version };
	}, [known, learn, version]);
}
