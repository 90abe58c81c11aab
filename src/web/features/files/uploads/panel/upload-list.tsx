import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { UnfinishedUpload } from '#contract/files/uploads.ts';
import virtualClasses from '#web/ui/data/virtual-rows.module.css';
import type { UploadTask } from '../upload-task.ts';
import { UnfinishedUploadRow } from './unfinished-upload-row.tsx';
import classes from './upload-panel.module.css';
import { UploadRow } from './upload-row.tsx';

/** Height of the row of a running upload with one line of details. */
const rowPx = 69;

interface UploadListProps {
	tasks: readonly UploadTask[];
	unfinished: readonly UnfinishedUpload[];
}

export function UploadList({ tasks, unfinished }: UploadListProps) {
	const box = useRef<HTMLDivElement>(null);
	const count = tasks.length + unfinished.length;
	const keyOf = (index: number) => tasks[index]?.id ?? unfinished[index - tasks.length]?.id ?? index;
	const virtualizer = useVirtualizer({
		count,
		estimateSize: () => rowPx,
		getItemKey: keyOf,
		getScrollElement: () => box.current,
		// A new row has the last known or estimated height, because reading its size would cause a layout for each file.
		measureElement: (row, entry, list) =>
			Math.round(
				entry?.borderBoxSize[0]?.blockSize ?? list.itemSizeCache.get(keyOf(list.indexFromElement(row))) ?? rowPx,
			),
		overscan: 4,
		initialRect: { width: 400, height: 340 },
	});
	return (
		<div ref={box} className={classes.list}>
			<ul className={virtualClasses.rows} style={{ height: virtualizer.getTotalSize() }}>
				{virtualizer.getVirtualItems().map(({ index, key, start }) => {
					const task = tasks[index];
					const upload = unfinished[index - tasks.length];
					return (
						<li
							key={key}
							ref={virtualizer.measureElement}
							data-index={index}
							aria-setsize={count}
							aria-posinset={index + 1}
							className={virtualClasses.slot}
							style={{ transform: `translateY(${start}px)` }}
						>
							{task ? <UploadRow task={task} /> : upload && <UnfinishedUploadRow upload={upload} />}
						</li>
					);
				})}
			</ul>
		</div>
	);
}
