// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import { useColumns, useVisibleRangeChange, useVisibleRows } from './use-visible-rows.ts';
import classes from './virtual-grid.module.css';

/** Lets the keyboard cursor reach an entry that is not drawn yet, and move between columns. */
export interface VirtualGridHandle {
	scrollTo: (index: number) => void;
	columns: () => number;
}

interface VirtualGridProps {
	ref: Ref<VirtualGridHandle>;
	/** How many entries there are, loaded or not. */
	count: number;
	/** All are equally high. */
	heightPx: number;
	gapPx: number;
	/** Least width of a cell; 0 for a list of one column. */
	minWidthPx: number;
	/** The entry that stays drawn however far one scrolls: it holds the focus. Outside for none. */
	cursor: number;
	/** Tells which entries one looks at; of `end` the first not. */
	onVisibleRange: (start: number, end: number) => void;
	render: (index: number) => ReactNode;
}

/** Where a page begins to hide rows: below the bar above, above the bar below. */
const topInsetPx = 72;
const bottomInsetPx = 88;

/** Entries side by side and below each other; only those in the window are drawn, so a hundred thousand scroll as ten do. */
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
