// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the heads take the focus.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/icon.ts';
import { AllBox, type SelectedShare } from './entry-box.tsx';
import type { FilePlace, SortKey } from './file-place.ts';
import classes from './file-row.module.css';

interface FileHeadsProps {
	place: Pick<FilePlace, 'sort' | 'order'>;
	/** Undefined where the order is fixed: what a search finds stands by name. */
	onSort: ((sort: SortKey) => void) | undefined;
	selected: SelectedShare;
	onSelectAll: (isAll: boolean) => void;
}

/** The heads of the list: each sorts by its column, a second press turns the order round. */
export function FileHeads({ place, onSort, selected, onSelectAll }: FileHeadsProps) {
	return (
		<div role="rowgroup">
			<div role="row" aria-rowindex={1} className={classes.heads}>
				<Head sort="name" label={m.files_name()} place={place} onSort={onSort}>
					<AllBox selected={selected} onSelectAll={onSelectAll} />
				</Head>
				<Head sort="size" label={m.files_size()} place={place} onSort={onSort} />
				<Head sort="date" label={m.files_upload_date()} place={place} onSort={onSort} />
				<span role="columnheader">
					<span className={classes.hidden}>{m.files_actions()}</span>
				</span>
			</div>
		</div>
	);
}

interface HeadProps extends Pick<FileHeadsProps, 'place' | 'onSort'> {
	sort: SortKey;
	label: string;
	children?: ReactNode;
}

function Head({ sort, label, place, onSort, children }: HeadProps) {
	const isSorted = onSort === undefined ? sort === 'name' : place.sort === sort;
	const isUp = onSort === undefined || place.order === 'asc';
	const Arrow = isUp ? IconArrowUp : IconArrowDown;
	return (
		<span
			role="columnheader"
			aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
			className={[isSorted ? classes.sorted : '', children ? classes.mainHead : ''].join(' ')}
		>
			{children}
			{onSort === undefined ? (
				label
			) : (
				<button type="button" className={classes.head} onClick={() => onSort(sort)}>
					{label}
					{isSorted && <Arrow {...smallIconProps} />}
				</button>
			)}
		</span>
	);
}
