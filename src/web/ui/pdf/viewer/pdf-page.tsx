import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { m } from '#messages';
import { type PdfLink, readLinks } from '../document/pdf-links.ts';
import { loadPageText } from '../text/page-text-cache.ts';
import type { TextSpan } from '../text/text-search.ts';
import { findRange } from '../text/text-to-range.ts';
import { boxesOfRange, boxStyle, type PageBox } from './page-box.ts';
import { PagePrerenderer, prerenderDelayMs, releaseCanvas, renderPageToCanvas } from './page-prerenderer.ts';
import type { Crop } from './page-size.ts';
import classes from './pdf-page.module.css';

/** The search matches on a page, and which of them is the current one. */
export interface PageSearchHits {
	spans: readonly TextSpan[];
	/** Index in `spans`; -1 if the current match is not on this page. */
	current: number;
}

interface PdfPageProps {
	document: PDFDocumentProxy;
	/** Page number, from 1. */
	page: number;
	widthPx: number;
	heightToWidth: number;
	crop: Crop;
	/** Upper limit for the pixels of the canvas. */
	pixelsMost: number;
	searchHits: PageSearchHits | undefined;
	/** The page that the user is likely to turn to, its width then, and whether that is expected soon. */
	next?: { page: number; widthPx: number; isSoon: boolean } | undefined;
	/** Annotations, rendered on the page below its text. */
	children?: ReactNode;
	/** Called once the dimensions of a page are known. */
	onDimensions: (page: number, heightToWidth: number) => void;
	/** Called for a link to another page of the document. */
	onPage: (page: number) => void;
	/** Called when the page could not be drawn. */
	onFail: () => void;
}

interface RenderedContent {
	page: number;
	pictures: readonly PageBox[];
	links: readonly PdfLink[];
	/** An element for each run of the page's text. */
	spans: readonly HTMLElement[];
	starts: readonly number[];
}

/**
 * One page of a document, with its text, its links and search highlights. The previous page stays until the new one is
 * rendered.
 */
export function PdfPage(props: PdfPageProps) {
	const {
		document: pdf,
		page,
		widthPx,
		heightToWidth,
		crop,
		pixelsMost,
		searchHits: finds,
		next,
		children,
		onDimensions: onShape,
		onPage,
		onFail,
	} = props;
	const frame = useRef<HTMLDivElement>(null);
	const picture = useRef<HTMLDivElement>(null);
	const text = useRef<HTMLDivElement>(null);
	const [drawn, setDrawn] = useState<RenderedContent>();
	const [isDrawing, setDrawing] = useState(true);
	const prerenderer = useMemo(() => new PagePrerenderer(), []);

	useEffect(() => {
		const abort = new AbortController();
		setDrawing(true);
		draw().catch((error: unknown) => {
			if (abort.signal.aborted) return;
			console.error(error);
			onFail();
		});
		return () => abort.abort();

		async function draw(): Promise<void> {
			const [{ renderTextLayer: layText }, proxy] = await Promise.all([import('./render-page.ts'), pdf.getPage(page)]);
			if (abort.signal.aborted) return;
			const { width, height } = proxy.getViewport({ scale: 1 });
			onShape(page, height / width);
			const wish = { document: pdf, page, widthPx, pixelsMost };
			const ready = await prerenderer.take(wish, abort.signal);
			const drawing = ready ?? (await renderPageToCanvas(wish, abort.signal));
			if (drawing === null || abort.signal.aborted) return;
			const { canvas, appearance: looks } = drawing;
			if (looks.isLight) canvas.dataset.light = '';
			// Screen readers read the text layer instead.
			canvas.setAttribute('aria-hidden', 'true');
			showCanvas(picture.current, canvas, looks.isLight ? looks.pictures : []);
			const [content, links] = await Promise.all([loadPageText(pdf, page), readLinks(pdf, proxy)]);
			if (abort.signal.aborted) return;
			const layer = document.createElement('div');
			const spans = await layText(proxy, widthPx, layer, content, classes.line ?? '', abort.signal);
			if (abort.signal.aborted) return;
			layer.className = classes.text ?? '';
			text.current?.replaceChildren(layer);
			setDrawn({ page, pictures: looks.pictures, links, spans, starts: content.starts });
			setDrawing(false);
		}
	}, [pdf, page, widthPx, pixelsMost, prerenderer, onShape, onFail]);

	const [nextPage, nextWidthPx, waitMs] = [next?.page, next?.widthPx, next?.isSoon ? 0 : prerenderDelayMs];
	useEffect(() => {
		if (isDrawing || nextPage === undefined || nextWidthPx === undefined) return;
		prerenderer.schedule({ document: pdf, page: nextPage, widthPx: nextWidthPx, pixelsMost }, waitMs);
	}, [isDrawing, pdf, nextPage, nextWidthPx, waitMs, pixelsMost, prerenderer]);
	useEffect(() => () => prerenderer.discard(), [prerenderer]);

	useEffect(() => {
		const holder = picture.current;
		return () => holder?.querySelectorAll('canvas').forEach(releaseCanvas);
	}, []);

	const currentContent = drawn?.page === page ? drawn : undefined;
	// After turning, `page` changes before its drawing begins.
	const isBusy = isDrawing || currentContent === undefined;
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
				{currentContent && children}
				{currentContent && finds && <SearchHighlights drawn={currentContent} finds={finds} frame={frame} />}
				<div ref={text} data-text="" className={classes.layer} />
				{currentContent?.links.map((link, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the links of a page keep their order.
					<PageLink key={`${page}:${index}`} link={link} onPage={onPage} />
				))}
			</div>
		</div>
	);
}

/**
 * Replaces the previous page by a rendered one, with copies of its pictures above it that dark mode does not change.
 */
function showCanvas(holder: HTMLDivElement | null, canvas: HTMLCanvasElement, pictures: readonly PageBox[]): void {
	const copies = pictures.flatMap((box) => {
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
	holder?.querySelectorAll('canvas').forEach(releaseCanvas);
	holder?.replaceChildren(canvas, ...copies);
}

function PageLink({ link, onPage }: { link: PdfLink; onPage: (page: number) => void }) {
	const style = boxStyle(link.box);
	if ('page' in link) {
		const label = m.reader_link_to_page({ page: link.page });
		return (
			<button
				type="button"
				className={classes.link}
				style={style}
				aria-label={label}
				title={label}
				onClick={() => onPage(link.page)}
			/>
		);
	}
	return (
		<a
			className={classes.link}
			style={style}
			href={link.url}
			target="_blank"
			rel="noopener noreferrer nofollow"
			title={link.url}
		>
			<span className={classes.hidden}>{link.url}</span>
		</a>
	);
}

/** Highlights the search matches once the page's text is laid out. */
function SearchHighlights({
	drawn,
	finds,
	frame,
}: {
	drawn: RenderedContent;
	finds: PageSearchHits;
	frame: { current: HTMLElement | null };
}) {
	const [boxes, setBoxes] = useState<PageBox[][]>([]);
	useEffect(() => {
		const page = frame.current;
		if (page === null) return;
		setBoxes(
			finds.spans.map((span) => {
				const range = findRange(drawn, span);
				return range === null ? [] : boxesOfRange(range, page);
			}),
		);
	}, [drawn, finds.spans, frame]);
	return boxes.map((lines, index) =>
		lines.map((box, line) => (
			<span
				// biome-ignore lint/suspicious/noArrayIndexKey: the finds of a page keep their order.
				key={`${index}:${line}`}
				className={classes.searchHit}
				data-current={index === finds.current || undefined}
				style={boxStyle(box)}
			/>
		)),
	);
}
