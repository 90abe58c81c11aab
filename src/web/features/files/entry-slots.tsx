// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import classes from './entry-slots.module.css';
import { useColumns, useLookedAt, useVisibleRows } from './use-visible-rows.ts';

/** Lets the keyboard cursor reach an entry that is not drawn yet, and move between columns. */
export interface SlotsHandle {
	scrollTo: (index: number) => void;
	columns: () => number;
}

interface EntrySlotsProps {
	ref: Ref<SlotsHandle>;
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
	onLook: (start: number, end: number) => void;
	render: (index: number) => ReactNode;
}

/** Where a page begins to hide rows: below the bar above, above the bar below. */
const aboveRoomPx = 72;
const belowRoomPx = 88;

/** Entries side by side and below each other; only those in the window are drawn, so a hundred thousand scroll as ten do. */
export function EntrySlots(props: EntrySlotsProps) {
	const { ref, count, heightPx, gapPx, minWidthPx, cursor, onLook, render } = props;
	const isList = minWidthPx === 0;
	const list = useRef<HTMLElement>(null);
	const columns = useColumns(list, minWidthPx, gapPx);
	const rowPx = heightPx + gapPx;
	const rows = Math.ceil(count / columns);
	const { start, end } = useVisibleRows({ list, count: rows, rowPx });
	useLookedAt(start * columns, Math.min(end * columns, count), onLook);
	useImperativeHandle(
		ref,
		() => ({
			columns: () => columns,
			scrollTo: (index) => {
				const top = list.current?.getBoundingClientRect().top ?? 0;
				const at = top + Math.floor(index / columns) * rowPx;
				if (at < aboveRoomPx) window.scrollBy(0, at - aboveRoomPx);
				const under = at + heightPx - (window.innerHeight - belowRoomPx);
				if (under > 0) window.scrollBy(0, under);
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
	const slots = shown.map((index) => {
		const place = {
			height: heightPx,
			width: `calc((100% - ${(columns - 1) * gapPx}px) / ${columns})`,
			transform: `translate(calc(${index % columns} * (100% + ${gapPx}px)), ${Math.floor(index / columns) * rowPx}px)`,
		};
		return isList ? (
			<div key={index} role="presentation" className={classes.slot} style={place}>
				{render(index)}
			</div>
		) : (
			<li key={index} aria-setsize={count} aria-posinset={index + 1} className={classes.slot} style={place}>
				{render(index)}
			</li>
		);
	});
	const height = Math.max(0, rows * rowPx - gapPx);
	return isList ? (
		<div ref={list as Ref<HTMLDivElement>} role="rowgroup" className={classes.slots} style={{ height }}>
			{slots}
		</div>
	) : (
		<ul ref={list as Ref<HTMLUListElement>} className={classes.slots} style={{ height }}>
			{slots}
		</ul>
	);
}
