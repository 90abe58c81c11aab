import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { type OutlineEntry, readOutline } from '#web/ui/pdf/pdf-outline.ts';

/** The document's outline; null until it was read. */
export function useOutline(pdf: PDFDocumentProxy | null): readonly OutlineEntry[] | null {
	const [read, setRead] = useState<{ of: PDFDocumentProxy; outline: readonly OutlineEntry[] }>();
	useEffect(() => {
		if (pdf === null) return;
		let isOver = false;
		readOutline(pdf)
			.catch((error: unknown) => {
				// A book whose outline cannot be read is still a book.
				console.error(error);
				return [];
			})
			.then((outline) => {
				if (!isOver) setRead({ of: pdf, outline });
			});
		return () => {
			isOver = true;
		};
	}, [pdf]);
	return read !== undefined && read.of === pdf ? read.outline : null;
}
