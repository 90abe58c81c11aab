import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ReactNode, RefObject } from 'react';
import { type Crop, calculatePageWidth, noCrop, type ViewportSize, type Zoom } from './page-size.ts';
import { type PageSearchHits, PdfPage } from './pdf-page.tsx';
import type { PageDimensions } from './use-page-dimensions.ts';

/** A document's pages and the current position, for either layout. */
export interface PagesProps {
	document: PDFDocumentProxy;
	page: number;
	onPage: (page: number) => void;
	/** The page to render in advance; null if unknown. Only for single pages. */
	preloadPage?: number | null;
	zoom: Zoom;
	onFail: () => void;
	/** How much of the page is above the position, 0 to 1: the initial value, then the current one. */
	offset?: number;
	onOffset?: (page: number, offset: number) => void;
	/** Renders the annotations of a page, below its text. */
	renderAnnotations?: (page: number) => ReactNode;
	searchHitsOf?: (page: number) => PageSearchHits | undefined;
}

/** The same props in a viewport of a known size. */
export interface ViewportPagesProps extends PagesProps {
	/** The scrolling box. */
	box: RefObject<HTMLElement | null>;
	viewport: ViewportSize;
	dimensions: PageDimensions;
}

/** The page that the user is likely to turn to, and whether that is expected soon. */
interface PreloadTarget {
	page: number;
	isSoon: boolean;
}

/** Returns the layout of a page in the viewport. */
export function layoutPage(
	{ zoom, viewport: desk, dimensions: shapes }: Pick<ViewportPagesProps, 'zoom' | 'viewport' | 'dimensions'>,
	number: number,
) {
	const heightToWidth = shapes.heightToWidthOf(number);
	const crop: Crop = zoom === 'text' ? (shapes.crop ?? noCrop) : noCrop;
	return { heightToWidth, crop, widthPx: calculatePageWidth(desk, zoom, heightToWidth, crop) };
}

/** Renders one page in the viewport. */
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
