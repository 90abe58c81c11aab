import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { canvasMaxPixels } from './page-size.ts';
import { layoutPage, PdfPage, type ViewportPagesProps } from './pdf-page.tsx';
import classes from './pdf-viewer.module.css';

const gapPx = 16;
/** Lower than for a single page, because several canvases exist at once. */
const pixelsMost = canvasMaxPixels / 2;
/** The page at this share of the viewport's height is the current page. */
const readingLine = 0.4;

export function ContinuousPages(props: ViewportPagesProps) {
	const { document: pdf, page, onPage, zoom, offset = 0, onOffset, box, viewport, dimensions } = props;
	const heightOf = (index: number) => {
		const { widthPx, heightToWidth } = layoutPage(props, index + 1);
		return Math.round(widthPx * heightToWidth);
	};
	const virtualizer = useVirtualizer({
		count: pdf.numPages,
		getScrollElement: () => box.current,
		estimateSize: heightOf,
		gap: gapPx,
		overscan: 1,
	});
	/** The position is kept when the sizes of pages change. */
	const position = useRef({ page, offset });
	/** Last page that was passed to `onPage`. If `page` differs, the parent requests a jump. */
	const reportedPage = useRef(0);

	// biome-ignore lint/correctness/useExhaustiveDependencies: these values determine the sizes of the pages.
	useLayoutEffect(() => {
		virtualizer.measure();
		scrollToPosition();
	}, [viewport.widthPx, viewport.heightPx, zoom, dimensions]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: only a change of `page` requests a jump.
	useLayoutEffect(() => {
		if (page === reportedPage.current) return;
		position.current = { page, offset: reportedPage.current === 0 ? offset : 0 };
		reportedPage.current = page;
		scrollToPosition();
	}, [page]);

	useEffect(() => {
		const element = box.current;
		if (element === null) return;
		const reportPosition = () => {
			const readingLinePx = element.scrollTop + element.clientHeight * readingLine;
			const items = virtualizer.getVirtualItems();
			const current = items.find(({ end }) => end + gapPx > readingLinePx) ?? items.at(-1);
			if (current === undefined) return;
			const share = (element.scrollTop - current.start) / Math.max(1, current.size);
			position.current = { page: current.index + 1, offset: Math.min(1, Math.max(0, share)) };
			if (position.current.page !== reportedPage.current) {
				reportedPage.current = position.current.page;
				onPage(position.current.page);
			}
			onOffset?.(position.current.page, position.current.offset);
		};
		element.addEventListener('scroll', reportPosition, { passive: true });
		return () => element.removeEventListener('scroll', reportPosition);
	}, [box, virtualizer, onPage, onOffset]);

	function scrollToPosition(): void {
		if (box.current === null) return;
		const index = position.current.page - 1;
		let start = 0;
		for (let earlierIndex = 0; earlierIndex < index; earlierIndex++) start += heightOf(earlierIndex) + gapPx;
		box.current.scrollTop = start + position.current.offset * heightOf(index);
	}

	return (
		<div className={classes.pages} style={{ height: virtualizer.getTotalSize() }}>
			{virtualizer.getVirtualItems().map(({ index, key, start }) => (
				<div key={key} className={classes.slot} style={{ transform: `translateY(${start}px)` }}>
					<PdfPage {...props} number={index + 1} pixelsMost={pixelsMost} />
				</div>
			))}
		</div>
	);
}
