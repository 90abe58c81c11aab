// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the heads take the focus.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import type { FileListQuery, SortKey } from '../file-list-query.ts';
import classes from './file-row.module.css';
import { SelectAllCheckbox, type SelectionState } from './node-checkbox.tsx';

interface FileListHeaderProps {
	listQuery: Pick<FileListQuery, 'sort' | 'order'>;
	/** Undefined where the order is fixed: search results are sorted by name. */
	onSort: ((sort: SortKey) => void) | undefined;
	selected: SelectionState;
	onSelectAll: (isAll: boolean) => void;
}

/** The column headers of the list. Each sorts by its column; a second press reverses the order. */
export function FileListHeader({ listQuery, onSort, selected, onSelectAll }: FileListHeaderProps) {
	return (
		<div role="rowgroup">
			<div role="row" aria-rowindex={1} className={classes.header}>
				<ColumnHeader sort="name" label={m.files_name()} listQuery={listQuery} onSort={onSort}>
					<SelectAllCheckbox selected={selected} onSelectAll={onSelectAll} />
				</ColumnHeader>
				<ColumnHeader sort="size" label={m.files_size()} listQuery={listQuery} onSort={onSort} />
				<ColumnHeader sort="date" label={m.files_upload_date()} listQuery={listQuery} onSort={onSort} />
				<span role="columnheader">
					<span className={classes.hidden}>{m.files_actions()}</span>
				</span>
			</div>
		</div>
	);
}

interface ColumnHeaderProps extends Pick<FileListHeaderProps, 'listQuery' | 'onSort'> {
	sort: SortKey;
	label: string;
	children?: ReactNode;
}

function ColumnHeader({ sort, label, listQuery, onSort, children }: ColumnHeaderProps) {
	const isSorted = onSort === undefined ? sort === 'name' : listQuery.sort === sort;
	const isAscending = onSort === undefined || listQuery.order === 'asc';
	const Arrow = isAscending ? IconArrowUp : IconArrowDown;
	return (
		<span
			role="columnheader"
			aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
			className={[isSorted ? classes.sorted : '', children ? classes.nameColumn : ''].join(' ')}
		>
			{children}
			{onSort === undefined ? (
				label
			) : (
				<button type="button" className={classes.sortButton} onClick={() => onSort(sort)}>
					{label}
					{isSorted && <Arrow {...smallIconProps} />}
				</button>
			)}
		</span>
	);
}
