import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { iconProps } from '../icon.ts';
import { clampPage, widthOfPage } from './page-size.ts';
import classes from './pdf-desk.module.css';
import { PdfPage } from './pdf-page.tsx';
import { usePageKeys, useSwipe } from './use-page-turning.ts';

interface PdfDeskProps {
	document: PDFDocumentProxy;
	page: number;
	onPage: (page: number) => void;
	/** 1 fits the desk. */
	zoom: number;
	onFail: () => void;
}

/** The page on its desk: arrow keys, arrow zones and swipes turn it. Give it a `data-page` of day or night above. */
export function PdfDesk({ document: pdf, page, onPage, zoom, onFail }: PdfDeskProps) {
	const scroll = useRef<HTMLDivElement>(null);
	const deskWidthPx = useInnerWidth(scroll);
	const turn = useCallback(
		(step: 1 | -1) => {
			const next = clampPage(page + step, pdf.numPages);
			if (next !== page) onPage(next);
		},
		[page, pdf.numPages, onPage],
	);
	const goTo = useCallback(
		(end: 'first' | 'last') => onPage(end === 'first' ? 1 : pdf.numPages),
		[pdf.numPages, onPage],
	);
	usePageKeys(turn, goTo);
	const swipe = useSwipe(scroll, turn);

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new page is read from its top.
	useEffect(() => {
		scroll.current?.scrollTo({ top: 0, left: 0 });
	}, [page]);

	return (
		<div className={classes.desk}>
			<button
				type="button"
				className={classes.turn}
				data-side="before"
				aria-label={m.reader_previous_page()}
				aria-keyshortcuts="ArrowLeft"
				disabled={page <= 1}
				onClick={() => turn(-1)}
			>
				<IconChevronLeft {...iconProps} size={22} />
			</button>
			<section
				ref={scroll}
				className={classes.scroll}
				data-zoomed={zoom > 1 || undefined}
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
				tabIndex={0}
				aria-label={m.reader_page()}
				{...swipe}
			>
				{deskWidthPx > 0 && (
					<PdfPage document={pdf} page={page} widthPx={widthOfPage(deskWidthPx, zoom)} onFail={onFail} />
				)}
			</section>
			<button
				type="button"
				className={classes.turn}
				data-side="after"
				aria-label={m.reader_next_page()}
				aria-keyshortcuts="ArrowRight"
				disabled={page >= pdf.numPages}
				onClick={() => turn(1)}
			>
				<IconChevronRight {...iconProps} size={22} />
			</button>
		</div>
	);
}

function useInnerWidth(ref: { current: HTMLElement | null }): number {
	const [widthPx, setWidthPx] = useState(0);
	useEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const observer = new ResizeObserver(([entry]) => {
			if (entry) setWidthPx(Math.floor(entry.contentRect.width));
		});
		observer.observe(element);
		return () => observer.disconnect();
	}, [ref]);
	return widthPx;
}
