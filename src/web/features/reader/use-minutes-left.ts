import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { pageTextOf } from '#web/ui/pdf/page-cache.ts';
import type { OutlineEntry } from '#web/ui/pdf/pdf-outline.ts';
import { findCurrent } from './chapters.ts';

/** About 200 words of English, or 180 of Hindi. */
const signsAMinute = 1000;

/**
 * About how long the rest of the chapter takes, in minutes: its pages hold as much as those that were looked at. Null where
 * there is no chapter, or nothing to read.
 */
export function useMinutesLeft(
	pdf: PDFDocumentProxy | null,
	outline: readonly OutlineEntry[],
	page: number,
): number | null {
	const seen = useRef(new Map<number, number>());
	const [average, setAverage] = useState(0);
	useEffect(() => {
		if (pdf === null) return;
		let isOver = false;
		pageTextOf(pdf, page).then(
			({ text }) => {
				if (isOver) return;
				seen.current.set(page, text.length);
				const signs = [...seen.current.values()];
				setAverage(signs.reduce((sum, each) => sum + each, 0) / signs.length);
			},
			// The page itself says that it cannot be had.
			() => {},
		);
		return () => {
			isOver = true;
		};
	}, [pdf, page]);
	return pdf === null ? null : minutesLeft(outline, page, pdf.numPages, average);
}

/** @param signsAPage on average */
export function minutesLeft(
	outline: readonly OutlineEntry[],
	page: number,
	pageCount: number,
	signsAPage: number,
): number | null {
	const chapter = findCurrent(outline, page);
	if (chapter === -1 || signsAPage === 0) return null;
	const end = outline.slice(chapter + 1).find((entry) => entry.page !== null)?.page ?? pageCount + 1;
	return Math.max(1, Math.round(((end - page) * signsAPage) / signsAMinute));
}
