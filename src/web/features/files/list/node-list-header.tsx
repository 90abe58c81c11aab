// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions its rows, which a <table> does not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the column headers are focusable.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import type { FileListQuery, SortKey } from '../file-list-query.ts';
import classes from './node.module.css';

interface NodeListHeaderProps {
	listQuery: Pick<FileListQuery, 'sort' | 'order'>;
	/** Undefined for search results, which are always sorted by name. */
	onSort: ((sort: SortKey) => void) | undefined;
	children: ReactNode;
}

export function NodeListHeader({ listQuery, onSort, children }: NodeListHeaderProps) {
	const columns = [
		{ sort: 'name', label: m.files_name() },
		{ sort: 'size', label: m.files_size() },
		{ sort: 'date', label: m.files_upload_date() },
	] as const;
	const order = onSort === undefined ? 'asc' : listQuery.order;
	const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
	return (
		<div role="rowgroup">
			<div role="row" aria-rowindex={1} className={classes.header}>
				{columns.map(({ sort, label }) => {
					const isSorted = sort === (onSort === undefined ? 'name' : listQuery.sort);
					return (
						<span
							key={sort}
							role="columnheader"
							aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
							className={sort === 'name' ? classes.nameColumn : undefined}
						>
							{sort === 'name' && children}
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
				})}
				<span role="columnheader">
					<span className={textClasses.hidden}>{m.files_actions()}</span>
				</span>
			</div>
		</div>
	);
}
