import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import classes from './pdf-page.module.css';

interface PdfPageProps {
	document: PDFDocumentProxy;
	/** From 1. */
	page: number;
	widthPx: number;
	/** The page could not be drawn. */
	onFail: () => void;
}

const usualHeightToWidth = 1.5;

/** One page of a document. The page before stands until the new one is drawn. */
export function PdfPage({ document: pdf, page, widthPx, onFail }: PdfPageProps) {
	const holder = useRef<HTMLDivElement>(null);
	const [heightToWidth, setHeightToWidth] = useState(usualHeightToWidth);
	const [isDrawing, setIsDrawing] = useState(true);

	useEffect(() => {
		const abort = new AbortController();
		setIsDrawing(true);
		draw().catch((error: unknown) => {
			if (abort.signal.aborted) return;
			console.error(error);
			onFail();
		});
		return () => abort.abort();

		async function draw(): Promise<void> {
			const [{ drawPage }, proxy] = await Promise.all([import('./draw-page.ts'), pdf.getPage(page)]);
			if (abort.signal.aborted) return;
			const canvas = document.createElement('canvas');
			const text = document.createElement('div');
			text.className = classes.text ?? '';
			const { width, height } = proxy.getViewport({ scale: 1 });
			const drawn = await drawPage(proxy, widthPx, { canvas, text }, abort.signal);
			if (drawn === null) return;
			if (drawn.isLight) canvas.dataset.light = '';
			// The text says the same to a screen reader.
			canvas.setAttribute('aria-hidden', 'true');
			setHeightToWidth(height / width);
			holder.current?.replaceChildren(canvas, text);
			setIsDrawing(false);
		}
	}, [pdf, page, widthPx, onFail]);

	return (
		// biome-ignore lint/a11y/useSemanticElements: a page of a document, not a section of the screen.
		<div
			ref={holder}
			role="region"
			aria-label={m.reader_page_of({ page, count: pdf.numPages })}
			aria-busy={isDrawing}
			data-drawn={isDrawing ? undefined : page}
			className={classes.page}
			style={{ width: widthPx, height: Math.round(widthPx * heightToWidth) }}
		/>
	);
}
