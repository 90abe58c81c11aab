import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { type OutlineEntry, readOutline } from '#web/ui/pdf/document/pdf-outline.ts';

export function findCurrentIndex(entries: readonly OutlineEntry[], page: number): number {
	return entries.findLastIndex((entry) => entry.page !== null && entry.page <= page);
}

/** Positions of the chapter starts on the progress bar, between 0 and 1 (exclusive). */
export function chapterTicks(entries: readonly OutlineEntry[], pageCount: number): number[] {
	if (pageCount < 2) return [];
	const positions = entries.flatMap(({ page }) => (page === null ? [] : [(page - 1) / (pageCount - 1)]));
	return [...new Set(positions)].filter((position) => position > 0 && position < 1);
}

export function useOutline(pdf: PDFDocumentProxy | null): readonly OutlineEntry[] | null {
	const [loaded, setLoaded] = useState<{ of: PDFDocumentProxy; outline: readonly OutlineEntry[] }>();
	useEffect(() => {
		if (pdf === null) return;
		let isCancelled = false;
		readOutline(pdf)
			.catch((error: unknown) => {
				// A document with a damaged outline is shown without the outline.
				console.error(error);
				return [];
			})
			.then((outline) => {
				if (!isCancelled) setLoaded({ of: pdf, outline });
			});
		return () => {
			isCancelled = true;
		};
	}, [pdf]);
	return loaded !== undefined && loaded.of === pdf ? loaded.outline : null;
}
