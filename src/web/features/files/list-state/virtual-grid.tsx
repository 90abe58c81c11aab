// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import { useColumns, useVisibleRangeChange, useVisibleRows } from './use-visible-rows.ts';
import classes from './virtual-grid.module.css';

/** Lets the keyboard cursor reach a node that is not rendered yet, and move between columns. */
export interface VirtualGridHandle {
	scrollTo: (index: number) => void;
	columns: () => number;
}

interface VirtualGridProps {
	ref: Ref<VirtualGridHandle>;
	/** Number of nodes, loaded or not. */
	count: number;
	/** Height of every cell. */
	heightPx: number;
	gapPx: number;
	/** Minimum width of a cell; 0 for a list with one column. */
	minWidthPx: number;
	/** Index of the node that stays rendered while scrolling because it has the focus; out of range for none. */
	cursor: number;
	/** Called with the visible range; `end` is exclusive. */
	onVisibleRange: (start: number, end: number) => void;
	render: (index: number) => ReactNode;
}

/** Heights that the bars at the top and bottom of the page cover. */
const topInsetPx = 72;
const bottomInsetPx = 88;

/** A virtual grid: only the cells in the window are rendered, so that even 100,000 nodes scroll smoothly. */
export function VirtualGrid(props: VirtualGridProps) {
	const { ref, count, heightPx, gapPx, minWidthPx, cursor, onVisibleRange, render } = props;
	const isList = minWidthPx === 0;
	const list = useRef<HTMLElement>(null);
	const columns = useColumns(list, minWidthPx, gapPx);
	const rowPx = heightPx + gapPx;
	const rows = Math.ceil(count / columns);
	const { start, end } = useVisibleRows({ list, count: rows, rowPx });
	useVisibleRangeChange(start * columns, Math.min(end * columns, count), onVisibleRange);
	useImperativeHandle(
		ref,
		() => ({
			columns: () => columns,
			scrollTo: (index) => {
				const top = list.current?.getBoundingClientRect().top ?? 0;
				const rowTop = top + Math.floor(index / columns) * rowPx;
				if (rowTop < topInsetPx) window.scrollBy(0, rowTop - topInsetPx);
				const overflow = rowTop + heightPx - (window.innerHeight - bottomInsetPx);
				if (overflow > 0) window.scrollBy(0, overflow);
			},
		}),
		[columns, rowPx, heightPx],
	);

	const shown: number[] = [];
	for (let index = start * columns; index < Math.min(end * columns, count); index += 1) shown.push(index);
	if (cursor >= 0 && cursor < count && !shown.includes(cursor)) {
		if (cursor < (shown[0] ?? 0)) shown.unshift(cursor);
		else shown.push(cursor);
	}
	const cells = shown.map((index) => {
		const style = {
			height: heightPx,
			width: `calc((100% - ${(columns - 1) * gapPx}px) / ${columns})`,
			transform: `translate(calc(${index % columns} * (100% + ${gapPx}px)), ${Math.floor(index / columns) * rowPx}px)`,
		};
		return isList ? (
			<div key={index} role="presentation" className={classes.cell} style={style}>
				{render(index)}
			</div>
		) : (
			<li key={index} aria-setsize={count} aria-posinset={index + 1} className={classes.cell} style={style}>
				{render(index)}
			</li>
		);
	});
	const height = Math.max(0, rows * rowPx - gapPx);
	return isList ? (
		<div ref={list as Ref<HTMLDivElement>} role="rowgroup" className={classes.grid} style={{ height }}>
			{cells}
		</div>
	) : (
		<ul ref={list as Ref<HTMLUListElement>} className={classes.grid} style={{ height }}>
			{cells}
		</ul>
	);
}
