import type { ReactNode } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Pager, type useKeysetPages } from '#web/ui/data/pager.tsx';
import { spacesPageSize } from './spaces-api.ts';
import classes from './storage-table.module.css';

interface StorageTableProps {
	/** Headers of the first and last column; between them are the number of files and their size. */
	firstHeader: string;
	lastHeader: string;
	pagerLabel: string;
	pages: ReturnType<typeof useKeysetPages>;
	nextCursor: string | null;
	rowCount: number;
	/** Whether the rows still belong to another page. */
	isFetching: boolean;
	/** The rows of this page. */
	children: ReactNode;
}

interface StorageCellProps {
	/** Header of the cell's column. */
	header: string;
	kind: 'number' | 'quota';
	children: ReactNode;
}

/**
 * A table cell. On a phone, where the headers are visible to screen readers only, shows the header beside the value.
 */
export function StorageCell({ header, kind, children }: StorageCellProps) {
	return (
		<td className={classes[kind]}>
			<span className={classes.label} aria-hidden="true">
				{header}
			</span>
			<div className={classes.value}>{children}</div>
		</td>
	);
}

/** A page of storage use, with a pager if there are several pages. */
export function StorageTable(props: StorageTableProps) {
	const { firstHeader, lastHeader, pagerLabel, pages, nextCursor, rowCount, isFetching, children } = props;
	const before = pages.pageIndex * spacesPageSize;
	return (
		<>
			<table className={classes.table} aria-busy={isFetching}>
				<thead>
					<tr>
						<th scope="col">{firstHeader}</th>
						<th scope="col" className={classes.number}>
							{m.files_storage_count()}
						</th>
						<th scope="col" className={classes.number}>
							{m.files_storage_size()}
						</th>
						<th scope="col" className={classes.quota}>
							{lastHeader}
						</th>
					</tr>
				</thead>
				<tbody>{children}</tbody>
			</table>
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={pagerLabel}
					range={m.files_storage_range({ from: formatCount(before + 1), to: formatCount(before + rowCount) })}
					isFetching={isFetching}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, isFetching)}
				/>
			)}
		</>
	);
}
