import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { UnfinishedUpload } from '#contract/files/uploads.ts';
import { UnfinishedRow } from './unfinished-row.tsx';
import classes from './upload-panel.module.css';
import { UploadRow } from './upload-row.tsx';
import type { UploadTask } from './upload-task.ts';

const rowPx = 78;

/** What is under way and what was left; only the rows that can be seen are drawn. */
export function UploadList({ tasks, left }: { tasks: readonly UploadTask[]; left: readonly UnfinishedUpload[] }) {
	const box = useRef<HTMLDivElement>(null);
	const count = tasks.length + left.length;
	const virtualizer = useVirtualizer({
		count,
		estimateSize: () => rowPx,
		getItemKey: (index) => tasks[index]?.id ?? left[index - tasks.length]?.id ?? index,
		getScrollElement: () => box.current,
		overscan: 4,
		initialRect: { width: 400, height: 340 },
	});
	return (
		<div ref={box} className={classes.list}>
			<ul className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
				{virtualizer.getVirtualItems().map(({ index, key, start }) => {
					const task = tasks[index];
					const upload = left[index - tasks.length];
					return (
						<li
							key={key}
							ref={virtualizer.measureElement}
							data-index={index}
							aria-setsize={count}
							aria-posinset={index + 1}
							className={classes.slot}
							style={{ transform: `translateY(${start}px)` }}
						>
							{task ? <UploadRow task={task} /> : upload && <UnfinishedRow upload={upload} />}
						</li>
					);
				})}
			</ul>
		</div>
	);
}
