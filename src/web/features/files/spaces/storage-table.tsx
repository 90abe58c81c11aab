import type { ReactNode } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { PagedList, type PagedQuery } from '#web/ui/data/paged-list.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import classes from './storage-table.module.css';

interface StorageTableProps<Item> {
	list: PagedQuery<{ items: Item[]; nextCursor: string | null }>;
	/** `first` and `last`: headers of the first and last column. */
	texts: { failed: string; empty?: string; pages: string; first: string; last: string };
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

export function StorageTable<Item>({ list, texts, placeholders, rowOf }: StorageTableProps<Item>) {
	const columns = [
		{ header: m.files_storage_count(), className: classes.number },
		{ header: m.files_storage_size(), className: classes.number },
		{ header: texts.last, className: classes.quota },
	];
	return (
		<PagedList
			list={list}
			texts={texts}
			skeleton={<SkeletonLines label={m.files_storage_loading()} count={placeholders} height="36px" />}
			rangeOf={({ items }, before) =>
				m.files_storage_range({ from: formatCount(before + 1), to: formatCount(before + items.length) })
			}
			isHiddenOnSinglePage
		>
			{(items, isFetching) => (
				<table className={classes.table} aria-busy={isFetching}>
					<thead className={textClasses.hiddenOnPhone}>
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
											{/* Shown on phones, where only screen readers have the header row. */}
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
			)}
		</PagedList>
	);
}
