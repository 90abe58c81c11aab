import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { PageBox } from '../viewer/page-box.ts';
import { findPage } from './pdf-outline.ts';

export type PdfLink = { box: PageBox } & ({ page: number } | { url: string });

/** Links with other schemes, such as `javascript:`, are ignored. */
const safeAddress = /^(?:https?|mailto|tel):/iu;

/** Returns the links of a page that have a usable target (ISO 32000-1, 12.5.6.5). Rejects if loading fails. */
export async function readLinks(pdf: PDFDocumentProxy, page: PDFPageProxy): Promise<PdfLink[]> {
	const viewport = page.getViewport({ scale: 1 });
	const annotations: PdfAnnotation[] = await page.getAnnotations({ intent: 'display' });
	const links = await Promise.all(
		annotations.map(async ({ subtype, rect, url, dest }): Promise<PdfLink | null> => {
			if (subtype !== 'Link') return null;
			const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(rect[0], rect[1]);
			const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(rect[2], rect[3]);
			const box: PageBox = [
				Math.min(x1, x2) / viewport.width,
				Math.min(y1, y2) / viewport.height,
				Math.max(x1, x2) / viewport.width,
				Math.max(y1, y2) / viewport.height,
			];
			if (url !== undefined && safeAddress.test(url)) return { box, url };
			const target = dest ? await findPage(pdf, dest) : null;
			return target === null ? null : { box, page: target };
		}),
	);
	return links.filter((link) => link !== null);
}

/** Subset of pdf.js's annotation; only links have `url` or `dest`. */
interface PdfAnnotation {
	subtype: string;
	rect: [number, number, number, number];
	url?: string;
	dest?: Parameters<typeof findPage>[1];
}
