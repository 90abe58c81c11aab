import type { ReactNode } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { Pager } from '#web/ui/pager.tsx';
import type { useKeysetPages } from '#web/ui/use-keyset-pages.ts';
import { spacesPageSize } from './storage.api.ts';
import classes from './storage-spaces.module.css';

interface StorageTableProps {
	/** Heads of the first and the last column; between them are the number of files and their size. */
	firstHead: string;
	lastHead: string;
	pagerLabel: string;
	pages: ReturnType<typeof useKeysetPages>;
	nextCursor: string | null;
	rowCount: number;
	/** Whether the rows are still those of another page. */
	isComing: boolean;
	/** The rows of this page. */
	children: ReactNode;
}

interface StorageCellProps {
	/** The head of its column. */
	head: string;
	kind: 'number' | 'quota';
	children: ReactNode;
}

/** A cell. On a phone, where the table's heads are for screen readers alone, its own head is shown beside it. */
export function StorageCell({ head, kind, children }: StorageCellProps) {
	return (
		<td className={classes[kind]}>
			<span className={classes.label} aria-hidden="true">
				{head}
			</span>
			<div className={classes.value}>{children}</div>
		</td>
	);
}

/** One page of who stores how much, and the pager where there are several. */
export function StorageTable(props: StorageTableProps) {
	const { firstHead, lastHead, pagerLabel, pages, nextCursor, rowCount, isComing, children } = props;
	const before = pages.passed * spacesPageSize;
	return (
		<>
			<table className={classes.table} aria-busy={isComing}>
				<thead>
					<tr>
						<th scope="col">{firstHead}</th>
						<th scope="col" className={classes.number}>
							{m.files_storage_count()}
						</th>
						<th scope="col" className={classes.number}>
							{m.files_storage_size()}
						</th>
						<th scope="col" className={classes.quota}>
							{lastHead}
						</th>
					</tr>
				</thead>
				<tbody>{children}</tbody>
			</table>
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={pagerLabel}
					range={m.files_storage_range({ from: formatCount(before + 1), to: formatCount(before + rowCount) })}
					isComing={isComing}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, isComing)}
				/>
			)}
		</>
	);
}
