import type { PDFDocumentProxy } from 'pdfjs-dist';
import { limits } from '#contract/core/limits.ts';

/** A heading of the document. `page` is null if the heading has no target. */
export interface OutlineEntry {
	/** Position in the outline, such as `2.1`. */
	id: string;
	title: string;
	page: number | null;
	children: OutlineEntry[];
}

type RawEntry = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

/** Reads the first `limits.outlineLevelsMax` levels of the outline (ISO 32000-1, 12.3.3); [] without an outline. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
	const entries: RawEntry[] | null = await pdf.getOutline();
	return Promise.all((entries ?? []).map((entry, index) => readEntry(pdf, entry, `${index + 1}`, 1)));
}

async function readEntry(pdf: PDFDocumentProxy, entry: RawEntry, id: string, level: number): Promise<OutlineEntry> {
	const nested: RawEntry[] = level < limits.outlineLevelsMax ? entry.items : [];
	const [page, children] = await Promise.all([
		findPage(pdf, entry.dest),
		Promise.all(nested.map((child, index) => readEntry(pdf, child, `${id}.${index + 1}`, level + 1))),
	]);
	return { id, title: entry.title, page, children };
}

/** Returns the page number of a destination; null if the page does not exist. */
export async function findPage(pdf: PDFDocumentProxy, destination: RawEntry['dest']): Promise<number | null> {
	const explicit = typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
	const target: unknown = explicit?.[0];
	if (typeof target === 'number') return target + 1;
	if (typeof target !== 'object' || target === null || !('num' in target) || !('gen' in target)) return null;
	const { num, gen } = target;
	if (typeof num !== 'number' || typeof gen !== 'number') return null;
	// getPageIndex rejects if the page does not exist.
	return pdf.getPageIndex({ num, gen }).then(
		(index) => index + 1,
		() => null,
	);
}
