import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { PageText } from './pdf-text.ts';
import { readPageText } from './pdf-text.ts';

/** Texts kept of one document: more than anybody looks at, little enough for a phone. */
const maxCachedTexts = 400;
const texts = new WeakMap<PDFDocumentProxy, Map<number, Promise<PageText>>>();

/** What a page says, read once for drawing and searching. Rejects when its bytes cannot be had. */
export function loadPageText(pdf: PDFDocumentProxy, page: number): Promise<PageText> {
	const known = texts.get(pdf) ?? new Map<number, Promise<PageText>>();
	texts.set(pdf, known);
	const found = known.get(page);
	if (found !== undefined) return found;
	const reading = pdf.getPage(page).then(readPageText);
	known.set(page, reading);
	reading.catch(() => known.delete(page));
	const [oldest] = known.keys();
	if (known.size > maxCachedTexts && oldest !== undefined) known.delete(oldest);
	return reading;
}
