// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows take the focus, not their cells.
import { IconArrowUp } from '@tabler/icons-react';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/icon.ts';
import rowClasses from './file-row.module.css';
import { FileRow } from './file-row.tsx';
import classes from './file-rows.module.css';
import type { NodeActions } from './node-actions.ts';

/** Lets the keyboard cursor reach a row that is not drawn yet. */
export interface FileRowsHandle {
	scrollTo: (fileIndex: number) => void;
}

interface FileRowsProps {
	ref: Ref<FileRowsHandle>;
	/** Element that says which keys work here. */
	keysId: string;
	files: readonly Node[];
	/** How many entries (folders) stand before the first file. */
	before: number;
	cursor: number;
	isPhone: boolean;
	hasMore: boolean;
	onNeedMore: () => void;
	actions: NodeActions;
}

const rowPx = { phone: 64, desk: 48 } as const;
const overscan = 8;
/** How many rows before the end the next page is asked for. */
const aheadRows = 30;

/** The files of a folder; only the rows on the screen are drawn, so ten thousand scroll as ten do. */
export function FileRows(props: FileRowsProps) {
	const { ref, keysId, files, before, cursor, isPhone, hasMore, onNeedMore, actions } = props;
	const list = useRef<HTMLDivElement>(null);
	const marginPx = useTop(list, before);
	const cursorRow = cursor - before;
	// The row under the cursor stays drawn however far one scrolls: it holds the focus.
	const rangeExtractor = useCallback(
		(range: Range) => {
			const shown = defaultRangeExtractor(range);
			if (cursorRow < 0 || cursorRow >= range.count || shown.includes(cursorRow)) return shown;
			return [...shown, cursorRow].toSorted((a, b) => a - b);
		},
		[cursorRow],
	);
	const virtualizer = useWindowVirtualizer({
		count: files.length,
		estimateSize: () => (isPhone ? rowPx.phone : rowPx.desk),
		overscan,
		rangeExtractor,
		scrollMargin: marginPx,
		scrollPaddingStart: 72,
		scrollPaddingEnd: 88,
	});
	useImperativeHandle(ref, () => ({ scrollTo: (index) => virtualizer.scrollToIndex(index) }), [virtualizer]);
	useLayoutEffect(() => {
		void isPhone;
		virtualizer.measure();
	}, [virtualizer, isPhone]);

	const rows = virtualizer.getVirtualItems();
	const lastDrawn = virtualizer.range?.endIndex ?? -1;
	useEffect(() => {
		if (hasMore && lastDrawn >= files.length - aheadRows) onNeedMore();
	}, [hasMore, lastDrawn, files.length, onNeedMore]);

	return (
		<div role="grid" aria-label={m.files_files()} aria-rowcount={hasMore ? -1 : files.length} aria-describedby={keysId}>
			<Heads />
			<div role="rowgroup" ref={list} className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
				{rows.map(({ index, start }) => {
					const file = files[index];
					return (
						file && (
							<div
								key={file.id}
								role="presentation"
								className={classes.slot}
								style={{ transform: `translateY(${start - marginPx}px)` }}
							>
								<FileRow
									file={file}
									index={before + index}
									position={index + 1}
									isCursor={cursor === before + index}
									isPhone={isPhone}
									actions={actions}
								/>
							</div>
						)
					);
				})}
			</div>
		</div>
	);
}

function Heads() {
	return (
		<div role="rowgroup">
			<div role="row" className={rowClasses.heads}>
				<span role="columnheader" aria-sort="ascending" className={rowClasses.sorted}>
					{m.files_name()}
					<IconArrowUp {...smallIconProps} />
				</span>
				<span role="columnheader">{m.files_size()}</span>
				<span role="columnheader">{m.files_upload_date()}</span>
				<span role="columnheader">
					<span className={rowClasses.hidden}>{m.files_actions()}</span>
				</span>
			</div>
		</div>
	);
}

/** How far below the top of the document an element begins; measured anew when what stands above changes. */
function useTop(ref: { current: HTMLElement | null }, dependency: unknown): number {
	const [top, setTop] = useState(0);
	useLayoutEffect(() => {
		void dependency;
		const measure = () => {
			if (ref.current) setTop(Math.round(ref.current.getBoundingClientRect().top + window.scrollY));
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(document.body);
		return () => observer.disconnect();
	}, [ref, dependency]);
	return top;
}
