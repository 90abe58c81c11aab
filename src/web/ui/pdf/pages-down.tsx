import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { DeskPage, type DeskPagesProps, layPage } from './desk-page.tsx';
import { canvasMaxPixels } from './page-size.ts';
import classes from './pages-down.module.css';

/** Between two pages, in CSS px. */
const gapPx = 16;
/** Several canvases stand at once: each may be smaller than one alone. */
const pixelsMost = canvasMaxPixels / 2;
/** The page that one reads is the one at this share of the box's height. */
const readingLine = 0.4;

/** All pages below each other; only those in sight are drawn. */
export function PagesDown(props: DeskPagesProps) {
	const { document: pdf, page, onPage, zoom, offset = 0, onOffset, box, desk, shapes } = props;
	const heightOf = (index: number) => {
		const { widthPx, heightToWidth } = layPage(props, index + 1);
		return Math.round(widthPx * heightToWidth);
	};
	const virtualizer = useVirtualizer({
		count: pdf.numPages,
		getScrollElement: () => box.current,
		estimateSize: heightOf,
		gap: gapPx,
		overscan: 1,
	});
	/** Where one is: kept when sizes change, and told when one has moved. */
	const place = useRef({ page, offset });
	/** What was told last: another page from outside is a wish to go there. */
	const told = useRef(0);

	// biome-ignore lint/correctness/useExhaustiveDependencies: sizes are those of the desk, the zoom and the shapes.
	useLayoutEffect(() => {
		virtualizer.measure();
		scrollTo(place.current.page, place.current.offset);
	}, [desk.widthPx, desk.heightPx, zoom, shapes.version]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: only another page is a wish.
	useLayoutEffect(() => {
		if (page === told.current) return;
		const isBegin = told.current === 0;
		told.current = page;
		place.current = { page, offset: isBegin ? offset : 0 };
		scrollTo(page, place.current.offset);
	}, [page]);

	useEffect(() => {
		const element = box.current;
		if (element === null) return;
		const look = () => {
			const line = element.scrollTop + element.clientHeight * readingLine;
			const items = virtualizer.getVirtualItems();
			const current = items.find(({ end }) => end + gapPx > line) ?? items.at(-1);
			if (current === undefined) return;
			const share = (element.scrollTop - current.start) / Math.max(1, current.size);
			place.current = { page: current.index + 1, offset: Math.min(1, Math.max(0, share)) };
			if (place.current.page !== told.current) {
				told.current = place.current.page;
				onPage(place.current.page);
			}
			onOffset?.(place.current.page, place.current.offset);
		};
		element.addEventListener('scroll', look, { passive: true });
		return () => element.removeEventListener('scroll', look);
	}, [box, virtualizer, onPage, onOffset]);

	function scrollTo(target: number, share: number): void {
		const element = box.current;
		if (element === null) return;
		let start = 0;
		for (let index = 0; index < target - 1; index++) start += heightOf(index) + gapPx;
		element.scrollTop = start + share * heightOf(target - 1);
	}

	return (
		<div className={classes.pages} style={{ height: virtualizer.getTotalSize() }}>
			{virtualizer.getVirtualItems().map(({ index, key, start }) => (
				<div key={key} className={classes.slot} style={{ transform: `translateY(${start}px)` }}>
					<DeskPage {...props} number={index + 1} pixelsMost={pixelsMost} />
				</div>
			))}
		</div>
	);
}
