import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { PageText } from './pdf-text.ts';
import { readPageText } from './pdf-text.ts';

/** Number of page texts cached for one document: more than a reader views, little enough for a phone's memory. */
const maxCachedTexts = 400;
const texts = new WeakMap<PDFDocumentProxy, Map<number, Promise<PageText>>>();

/** Returns the text of a page, read once for drawing and searching. Rejects when the page's bytes cannot be loaded. */
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
