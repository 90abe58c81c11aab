import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ReactNode, RefObject } from 'react';
import { type Crop, calculatePageWidth, noCrop, type ViewportSize, type Zoom } from './page-size.ts';
import { type PageSearchHits, PdfPage } from './pdf-page.tsx';
import type { PageDimensions } from './use-page-dimensions.ts';

/** A document's pages and where one is in them, however they follow each other. */
export interface PagesProps {
	document: PDFDocumentProxy;
	page: number;
	onPage: (page: number) => void;
	/** Where one is about to go; null where nobody knows. Only a single page is drawn beforehand. */
	preloadPage?: number | null;
	zoom: Zoom;
	onFail: () => void;
	/** How much of the page lies above what is read, 0 to 1: where to begin, and where one has come to. */
	offset?: number;
	onOffset?: (page: number, offset: number) => void;
	/** Marks of a page, below its text. */
	renderAnnotations?: (page: number) => ReactNode;
	searchHitsOf?: (page: number) => PageSearchHits | undefined;
}

/** The same on a desk of a known size. */
export interface ViewportPagesProps extends PagesProps {
	/** The box that scrolls. */
	box: RefObject<HTMLElement | null>;
	viewport: ViewportSize;
	dimensions: PageDimensions;
}

/** The page that is likely to be turned to, and whether that will be in a moment. */
export interface PreloadTarget {
	page: number;
	isSoon: boolean;
}

/** How large a page stands on the desk. */
export function layoutPage(
	{ zoom, viewport: desk, dimensions: shapes }: Pick<ViewportPagesProps, 'zoom' | 'viewport' | 'dimensions'>,
	number: number,
) {
	const heightToWidth = shapes.heightToWidthOf(number);
	const crop: Crop = zoom === 'text' ? (shapes.crop ?? noCrop) : noCrop;
	return { heightToWidth, crop, widthPx: calculatePageWidth(desk, zoom, heightToWidth, crop) };
}

/** One page of the desk. */
export function ViewerPage({
	number,
	pixelsMost,
	next,
	...pages
}: ViewportPagesProps & { number: number; pixelsMost: number; next?: PreloadTarget | undefined }) {
	const { document, dimensions: shapes, onPage, onFail, renderAnnotations: marksOf, searchHitsOf: findsOf } = pages;
	return (
		<PdfPage
			document={document}
			page={number}
			{...layoutPage(pages, number)}
			pixelsMost={pixelsMost}
			searchHits={findsOf?.(number)}
			next={next && { ...next, widthPx: layoutPage(pages, next.page).widthPx }}
			onDimensions={shapes.record}
			onPage={onPage}
			onFail={onFail}
		>
			{marksOf?.(number)}
		</PdfPage>
	);
}
