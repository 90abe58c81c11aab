import { VisuallyHidden } from '@mantine/core';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { m } from '#messages';
import type { PdfLink } from '../document/pdf-links.ts';
import { findRange } from '../text/text-ranges.ts';
import type { TextSpan } from '../text/text-search.ts';
import { boxesOfRange, boxStyle, type PageBox } from './page-box.ts';
import {
	type PageLayer,
	PagePrerenderer,
	prerenderDelayMs,
	releaseCanvas,
	renderPageLayer,
	renderPageToCanvas,
} from './page-prerenderer.ts';
import { type Crop, calculatePageWidth, noCrop, type ViewportSize, type Zoom } from './page-size.ts';
import classes from './pdf-page.module.css';
import type { PageDimensions } from './use-page-dimensions.ts';

export interface PageSearchHits {
	spans: readonly TextSpan[];
	/** Index of the current match in `spans`; -1 if the current match is on another page. */
	current: number;
}

export interface PagesProps {
	document: PDFDocumentProxy;
	page: number;
	onPage: (page: number) => void;
	/** The page to render in advance instead of the next page. Only for the single-page layout. */
	preloadPage?: number | null;
	zoom: Zoom;
	onFail: () => void;
	/** Share of the page that is above the viewport's top edge, 0 to 1. */
	offset?: number;
	onOffset?: (page: number, offset: number) => void;
	renderAnnotations?: (page: number) => ReactNode;
	searchHitsOf?: ((page: number) => PageSearchHits | undefined) | undefined;
}

export interface ViewportPagesProps extends PagesProps {
	box: RefObject<HTMLElement | null>;
	viewport: ViewportSize;
	dimensions: PageDimensions;
}

interface PdfPageProps extends ViewportPagesProps {
	number: number;
	pixelsMost: number;
	/** The page to render in advance. `isSoon`: whether the user is likely to turn to the page soon. */
	next?: { page: number; isSoon: boolean } | undefined;
}

export function layoutPage({ zoom, viewport, dimensions }: ViewportPagesProps, page: number) {
	const heightToWidth = dimensions.heightToWidthOf(page);
	const crop: Crop = zoom === 'text' ? (dimensions.crop ?? noCrop) : noCrop;
	return { heightToWidth, crop, widthPx: calculatePageWidth(viewport, zoom, heightToWidth, crop) };
}

interface RenderedContent extends PageLayer {
	page: number;
}

const lineClass = classes.line ?? '';

/** Until a new page is rendered, the previous page stays visible. */
export function PdfPage(props: PdfPageProps) {
	const { document: pdf, number: page, pixelsMost, next, onPage, onFail } = props;
	const { record } = props.dimensions;
	const { widthPx, heightToWidth, crop } = layoutPage(props, page);
	const hits = props.searchHitsOf?.(page);
	const frame = useRef<HTMLDivElement>(null);
	const picture = useRef<HTMLDivElement>(null);
	const text = useRef<HTMLDivElement>(null);
	const [drawn, setDrawn] = useState<RenderedContent>();
	const [isDrawing, setDrawing] = useState(true);
	const prerenderer = useMemo(() => new PagePrerenderer(lineClass), []);

	useEffect(() => {
		const abort = new AbortController();
		const { signal } = abort;
		setDrawing(true);
		draw().catch((error: unknown) => {
			if (signal.aborted) return;
			console.error(error);
			onFail();
		});
		return () => abort.abort();

		async function draw(): Promise<void> {
			const proxy = await pdf.getPage(page);
			if (signal.aborted) return;
			const { width, height } = proxy.getViewport({ scale: 1 });
			record(page, height / width);
			const request = { document: pdf, page, widthPx, pixelsMost };
			const ahead = prerenderer.take(request, signal);
			const drawing = (await ahead?.rendering) ?? (await renderPageToCanvas(request, signal));
			if (drawing === null || signal.aborted) return;
			const { canvas, isLight, pictures } = drawing;
			if (isLight) canvas.dataset.light = '';
			// Screen readers read the text layer instead.
			canvas.setAttribute('aria-hidden', 'true');
			showCanvas(picture.current, canvas, isLight ? pictures : []);
			const layer = (await ahead?.layer) ?? (await renderPageLayer(request, lineClass, signal));
			if (layer === null || signal.aborted) return;
			layer.element.className = classes.text ?? '';
			text.current?.replaceChildren(layer.element);
			setDrawn({ page, ...layer });
			setDrawing(false);
		}
	}, [pdf, page, widthPx, pixelsMost, prerenderer, record, onFail]);

	const [nextPage, waitMs] = [next?.page, next?.isSoon ? 0 : prerenderDelayMs];
	const nextWidthPx = nextPage === undefined ? 0 : layoutPage(props, nextPage).widthPx;
	useEffect(() => {
		if (isDrawing || nextPage === undefined) return;
		prerenderer.schedule({ document: pdf, page: nextPage, widthPx: nextWidthPx, pixelsMost }, waitMs);
	}, [isDrawing, pdf, nextPage, nextWidthPx, waitMs, pixelsMost, prerenderer]);
	useEffect(() => {
		const holder = picture.current;
		return () => {
			prerenderer.discard();
			holder?.querySelectorAll('canvas').forEach(releaseCanvas);
		};
	}, [prerenderer]);

	const content = drawn?.page === page ? drawn : undefined;
	// When the user turns the page, `page` changes before rendering begins.
	const isBusy = isDrawing || content === undefined;
	const heightPx = Math.round(widthPx * heightToWidth);
	const shown: CSSProperties = { width: Math.round(widthPx * (crop.right - crop.left)), height: heightPx };
	const whole: CSSProperties = { width: widthPx, height: heightPx, left: -Math.round(crop.left * widthPx) };
	return (
		// biome-ignore lint/a11y/useSemanticElements: a page of a document, not a section of the screen.
		<div
			role="region"
			aria-label={m.reader_page_of({ page, count: pdf.numPages })}
			aria-busy={isBusy}
			data-drawn={isBusy ? undefined : page}
			className={classes.page}
			style={shown}
		>
			<div ref={frame} className={classes.sheet} data-page-number={page} style={whole}>
				<div ref={picture} className={classes.picture} />
				{content && props.renderAnnotations?.(page)}
				{content && hits && <SearchHighlights content={content} hits={hits} frame={frame} />}
				<div ref={text} data-text="" className={classes.layer} />
				{content?.links.map((link, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the links of a page keep their order.
					<PageLink key={`${page}:${index}`} link={link} onPage={onPage} />
				))}
			</div>
		</div>
	);
}

/** Places copies of the pictures on top, because the filter of the night page must not change pictures. */
function showCanvas(holder: HTMLDivElement | null, canvas: HTMLCanvasElement, pictures: readonly PageBox[]): void {
	const copies = pictures.map((box) => {
		const [left, top, right, bottom] = box;
		const copy = document.createElement('canvas');
		copy.width = Math.max(1, Math.round((right - left) * canvas.width));
		copy.height = Math.max(1, Math.round((bottom - top) * canvas.height));
		const at = [left * canvas.width, top * canvas.height] as const;
		copy.getContext('2d')?.drawImage(canvas, ...at, copy.width, copy.height, 0, 0, copy.width, copy.height);
		copy.dataset.picture = '';
		copy.setAttribute('aria-hidden', 'true');
		Object.assign(copy.style, boxStyle(box));
		return copy;
	});
	const previous = holder?.querySelectorAll('canvas');
	holder?.replaceChildren(canvas, ...copies);
	// Later, so that the new page is shown first: measured, this takes 2 of the 12 ms of processor time of a page turn.
	setTimeout(() => previous?.forEach(releaseCanvas));
}

function PageLink({ link, onPage }: { link: PdfLink; onPage: (page: number) => void }) {
	const appearance = { className: classes.link, style: boxStyle(link.box) };
	if ('page' in link) {
		const label = m.reader_link_to_page({ page: link.page });
		return <button type="button" {...appearance} aria-label={label} title={label} onClick={() => onPage(link.page)} />;
	}
	return (
		<a {...appearance} href={link.url} target="_blank" rel="noopener noreferrer nofollow" title={link.url}>
			<VisuallyHidden>{link.url}</VisuallyHidden>
		</a>
	);
}

interface SearchHighlightsProps {
	content: RenderedContent;
	hits: PageSearchHits;
	frame: RefObject<HTMLElement | null>;
}

function SearchHighlights({ content, hits, frame }: SearchHighlightsProps) {
	const [boxes, setBoxes] = useState<PageBox[][]>([]);
	useEffect(() => {
		const page = frame.current;
		if (page === null) return;
		const ranges = hits.spans.map((span) => findRange(content, span));
		setBoxes(ranges.map((range) => (range === null ? [] : boxesOfRange(range, page))));
	}, [content, hits.spans, frame]);
	return boxes.map((lines, index) =>
		lines.map((box, line) => (
			<span
				// biome-ignore lint/suspicious/noArrayIndexKey: the matches on a page keep their order.
				key={`${index}:${line}`}
				className={classes.searchHit}
				data-current={index === hits.current || undefined}
				style={boxStyle(box)}
			/>
		)),
	);
}
