import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

interface VisibleRows {
	/** First row to render. */
	start: number;
	/** First row after the rendered ones. */
	end: number;
}

interface VisibleRowsOptions {
	/** The element that has the height of all rows together. */
	list: RefObject<HTMLElement | null>;
	count: number;
	/** Height of every row, so that an offset is a product. */
	rowPx: number;
}

/** Number of rows rendered above and below the window; the range moves in steps of this many. */
const overscan = 8;

/** The range of rows that are in the window, with some more above and below. */
export function useVisibleRows({ list, count, rowPx }: VisibleRowsOptions): VisibleRows {
	const [range, setRange] = useState<VisibleRows>({ start: 0, end: Math.min(count, 3 * overscan) });
	useLayoutEffect(() => {
		const update = () => {
			const top = list.current?.getBoundingClientRect().top;
			if (top === undefined) return;
			const first = Math.floor(-top / rowPx / overscan) * overscan - overscan;
			const last = Math.ceil((window.innerHeight - top) / rowPx / overscan) * overscan + overscan;
			const start = Math.min(Math.max(first, 0), count);
			const end = Math.max(Math.min(last, count), start);
			setRange((before) => (before.start === start && before.end === end ? before : { start, end }));
		};
		update();
		window.addEventListener('scroll', update, { passive: true });
		window.addEventListener('resize', update);
		// Content above the list may change its height.
		const observer = new ResizeObserver(update);
		observer.observe(document.body);
		return () => {
			window.removeEventListener('scroll', update);
			window.removeEventListener('resize', update);
			observer.disconnect();
		};
	}, [list, count, rowPx]);
	return range;
}

/** Number of columns of at least `minPx` that fit into an element. */
export function useColumns(list: RefObject<HTMLElement | null>, minPx: number, gapPx: number): number {
	const [columns, setColumns] = useState(1);
	useLayoutEffect(() => {
		const element = list.current;
		if (element === null || minPx === 0) return setColumns(1);
		const measure = () => setColumns(Math.max(1, Math.floor((element.clientWidth + gapPx) / (minPx + gapPx))));
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		return () => observer.disconnect();
	}, [list, minPx, gapPx]);
	return columns;
}

/** Calls `onVisibleRange` when the visible range changes. */
export function useVisibleRangeChange(
	start: number,
	end: number,
	onVisibleRange: (start: number, end: number) => void,
): void {
	useEffect(() => onVisibleRange(start, end), [start, end, onVisibleRange]);
}
