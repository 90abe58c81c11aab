import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { PageBox } from '../viewer/page-box.ts';
import { findPage } from './pdf-outline.ts';

/** A link on a page, to another page of the document or to a URL. */
export type PdfLink = { box: PageBox } & ({ page: number } | { url: string });

/** Links with any other scheme are not followed. */
const safeAddress = /^(?:https?|mailto|tel):/iu;

/** Reads the links of a page (ISO 32000-1, 12.5.6.5) that have a usable target. Rejects without the page's bytes. */
export async function readLinks(pdf: PDFDocumentProxy, page: PDFPageProxy): Promise<PdfLink[]> {
	const viewport = page.getViewport({ scale: 1 });
	const annotations: unknown[] = await page.getAnnotations({ intent: 'display' });
	const links = await Promise.all(
		annotations.map(async (annotation): Promise<PdfLink | null> => {
			if (!isLink(annotation)) return null;
			const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(annotation.rect[0], annotation.rect[1]);
			const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(annotation.rect[2], annotation.rect[3]);
			const box: PageBox = [
				Math.min(x1, x2) / viewport.width,
				Math.min(y1, y2) / viewport.height,
				Math.max(x1, x2) / viewport.width,
				Math.max(y1, y2) / viewport.height,
			];
			if (typeof annotation.url === 'string' && safeAddress.test(annotation.url)) return { box, url: annotation.url };
			const target = annotation.dest ? await findPage(pdf, annotation.dest) : null;
			return target === null ? null : { box, page: target };
		}),
	);
	return links.filter((link) => link !== null);
}

interface LinkAnnotation {
	rect: [number, number, number, number];
	url?: unknown;
	dest?: Parameters<typeof findPage>[1];
}

function isLink(annotation: unknown): annotation is LinkAnnotation {
	if (typeof annotation !== 'object' || annotation === null) return false;
	return (
		'subtype' in annotation && annotation.subtype === 'Link' && 'rect' in annotation && Array.isArray(annotation.rect)
	);
}
