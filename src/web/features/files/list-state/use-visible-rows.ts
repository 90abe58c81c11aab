import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

interface VisibleRows {
	/** First row to draw. */
	start: number;
	/** First row after them. */
	end: number;
}

interface VisibleRowsOptions {
	/** The element that is as high as all rows together. */
	list: RefObject<HTMLElement | null>;
	count: number;
	/** Every row is as high as every other: where one stands is a product, whatever their number. */
	rowPx: number;
}

/** Rows drawn beyond the window, above and below; the range moves in steps of this many. */
const overscan = 8;

/** Which rows of a list in the page lie in the window, with some around them. */
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
		// What stands above may grow.
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

/** How many cells of at least `minPx` stand side by side in an element. */
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

/** Tells which entries of a list are looked at, whenever that changes. */
export function useVisibleRangeChange(
	start: number,
	end: number,
	onVisibleRange: (start: number, end: number) => void,
): void {
	useEffect(() => onVisibleRange(start, end), [start, end, onVisibleRange]);
}
