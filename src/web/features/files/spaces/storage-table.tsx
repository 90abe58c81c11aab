import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { type KeysetPages, Pager } from '#web/ui/data/pager.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { spacesPageSize } from './spaces-api.ts';
import classes from './storage-table.module.css';

interface StorageTableProps<Item> {
	page: UseQueryResult<{ items: Item[]; nextCursor: string | null }>;
	pages: KeysetPages;
	/** `first` and `last`: headers of those columns; between them are the number of files and their size. */
	texts: { failed: string; empty?: string; pager: string; first: string; last: string };
	placeholders: number;
	rowOf: (item: Item) => StorageRow;
}

interface StorageRow {
	key: string;
	name: ReactNode;
	fileCount: number;
	size: ReactNode;
	last: ReactNode;
}

/** A page of storage use in its states, with a pager if there are several pages. */
export function StorageTable<Item>({ page, pages, texts, placeholders, rowOf }: StorageTableProps<Item>) {
	if (page.isPending) return <SkeletonLines label={m.files_storage_loading()} count={placeholders} height="36px" />;
	if (page.isError) return <FailedQuery text={texts.failed} query={page} />;
	const { data, isPlaceholderData: isFetching } = page;
	const { items, nextCursor } = data;
	if (items.length === 0 && pages.pageIndex === 0 && texts.empty !== undefined)
		return <p className={classes.muted}>{texts.empty}</p>;
	const before = pages.pageIndex * spacesPageSize;
	const columns = [
		{ header: m.files_storage_count(), className: classes.number },
		{ header: m.files_storage_size(), className: classes.number },
		{ header: texts.last, className: classes.quota },
	];
	return (
		<>
			<table className={classes.table} aria-busy={isFetching}>
				<thead>
					<tr>
						<th scope="col">{texts.first}</th>
						{columns.map(({ header, className }) => (
							<th key={header} scope="col" className={className}>
								{header}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{items.map(rowOf).map(({ key, name, fileCount, size, last }) => {
						const values = [formatCount(fileCount), size, last];
						return (
							<tr key={key}>
								<th scope="row" className={classes.name}>
									{name}
								</th>
								{columns.map(({ header, className }, index) => (
									<td key={header} className={className}>
										{/* On a phone, where the headers are visible to screen readers only, shown beside the value. */}
										<span className={classes.label} aria-hidden="true">
											{header}
										</span>
										<div className={classes.value}>{values[index]}</div>
									</td>
								))}
							</tr>
						);
					})}
				</tbody>
			</table>
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={texts.pager}
					range={m.files_storage_range({ from: formatCount(before + 1), to: formatCount(before + items.length) })}
					isFetching={isFetching}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, isFetching)}
				/>
			)}
		</>
	);
}
