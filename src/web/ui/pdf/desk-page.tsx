import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ReactNode, RefObject } from 'react';
import { type Crop, type DeskSize, noCrop, widthOfPage, type Zoom } from './page-size.ts';
import { type PageFinds, PdfPage } from './pdf-page.tsx';
import type { PageShapes } from './use-page-shapes.ts';

/** A document's pages and where one is in them, however they follow each other. */
export interface PagesProps {
	document: PDFDocumentProxy;
	page: number;
	onPage: (page: number) => void;
	/** Where one is about to go; null where nobody knows. Only a single page is drawn beforehand. */
	likely?: number | null;
	zoom: Zoom;
	onFail: () => void;
	/** How much of the page lies above what is read, 0 to 1: where to begin, and where one has come to. */
	offset?: number;
	onOffset?: (page: number, offset: number) => void;
	/** Marks of a page, below its text. */
	marksOf?: (page: number) => ReactNode;
	findsOf?: (page: number) => PageFinds | undefined;
}

/** The same on a desk of a known size. */
export interface DeskPagesProps extends PagesProps {
	/** The box that scrolls. */
	box: RefObject<HTMLElement | null>;
	desk: DeskSize;
	shapes: PageShapes;
}

/** The page that is likely to be turned to, and whether that will be in a moment. */
export interface NextPage {
	page: number;
	isSoon: boolean;
}

/** How large a page stands on the desk. */
export function layPage({ zoom, desk, shapes }: Pick<DeskPagesProps, 'zoom' | 'desk' | 'shapes'>, number: number) {
	const heightToWidth = shapes.of(number);
	const crop: Crop = zoom === 'text' ? (shapes.crop ?? noCrop) : noCrop;
	return { heightToWidth, crop, widthPx: widthOfPage(desk, zoom, heightToWidth, crop) };
}

/** One page of the desk. */
export function DeskPage({
	number,
	pixelsMost,
	next,
	...pages
}: DeskPagesProps & { number: number; pixelsMost: number; next?: NextPage | undefined }) {
	const { document, shapes, onPage, onFail, marksOf, findsOf } = pages;
	return (
		<PdfPage
			document={document}
			page={number}
			{...layPage(pages, number)}
			pixelsMost={pixelsMost}
			finds={findsOf?.(number)}
			next={next && { ...next, widthPx: layPage(pages, next.page).widthPx }}
			onShape={shapes.learn}
			onPage={onPage}
			onFail={onFail}
		>
			{marksOf?.(number)}
		</PdfPage>
	);
}
