import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import type { OutlineEntry } from '#web/ui/pdf/document/pdf-outline.ts';
import { loadPageText } from '#web/ui/pdf/text/pdf-text.ts';
import { findCurrentIndex } from '../side-panel/chapters.ts';

/** Reading speed. Corresponds to about 200 English or 180 Hindi words per minute. */
const charactersPerMinute = 1000;

/** Estimated minutes left in the chapter, from the text length of the viewed pages. Null without a chapter or text. */
export function useMinutesLeft(
	pdf: PDFDocumentProxy | null,
	outline: readonly OutlineEntry[],
	page: number,
): number | null {
	const textLengths = useRef(new Map<number, number>());
	const [average, setAverage] = useState(0);
	useEffect(() => {
		if (pdf === null) return;
		let isCancelled = false;
		loadPageText(pdf, page).then(
			({ text }) => {
				if (isCancelled) return;
				textLengths.current.set(page, text.length);
				const lengths = [...textLengths.current.values()];
				setAverage(lengths.reduce((sum, length) => sum + length, 0) / lengths.length);
			},
			// The page itself shows the error.
			() => {},
		);
		return () => {
			isCancelled = true;
		};
	}, [pdf, page]);
	return pdf === null ? null : estimateMinutesLeft(outline, page, pdf.numPages, average);
}

/** @param charactersPerPage average number of characters per page */
export function estimateMinutesLeft(
	outline: readonly OutlineEntry[],
	page: number,
	pageCount: number,
	charactersPerPage: number,
): number | null {
	const chapter = findCurrentIndex(outline, page);
	if (chapter === -1 || charactersPerPage === 0) return null;
	const end = outline.slice(chapter + 1).find((entry) => entry.page !== null)?.page ?? pageCount + 1;
	return Math.max(1, Math.round(((end - page) * charactersPerPage) / charactersPerMinute));
}
