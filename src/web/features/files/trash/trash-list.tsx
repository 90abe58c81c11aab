import { useId } from 'react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { formatRange, Pager, useKeysetPages } from '#web/ui/data/pager.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { SelectAllCheckbox } from '../list/node-checkbox.tsx';
import { trashPageSize, useRestore, useTrash } from './trash-api.ts';
import { TrashBar } from './trash-bar.tsx';
import { TrashRow } from './trash-row.tsx';
import classes from './trash-view.module.css';
import type { TrashSelection } from './use-trash-selection.ts';

interface TrashListProps {
	owner: string;
	q: string;
	selection: TrashSelection;
	onPurge: (nodes: readonly TrashedNode[]) => void;
}

/** The items of a trash, page by page. Remount (`key`) for another search. */
export function TrashList({ owner, q, selection, onPurge }: TrashListProps) {
	const pages = useKeysetPages();
	const trash = useTrash(owner, q, pages.cursor);
	const restore = useRestore();
	if (trash.isPending) return <SkeletonLines label={m.files_trash_loading()} count={8} height="40px" />;
	if (trash.isError) {
		if (describeFailure(trash.error).status === 404)
			return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		return <FailedQuery text={m.files_trash_failed()} query={trash} />;
	}
	const { items, total, nextCursor } = trash.data;
	if (items.length === 0 && pages.pageIndex === 0)
		return <EmptyState text={q.trim() === '' ? m.files_trash_empty() : m.files_trash_no_match()} />;
	const { chosen } = selection;
	const restoreNodes = (nodes: readonly TrashedNode[]) =>
		restore.mutate(nodes, { onSuccess: () => selection.drop(nodes.map(({ id }) => id)) });
	const before = pages.pageIndex * trashPageSize;
	return (
		<>
			<p className={classes.note}>{m.files_trash_note()}</p>
			<TrashListHeader
				count={chosen.size}
				total={total}
				isBusy={selection.isLoadingAll || trash.isPlaceholderData}
				onAll={(isAll) => (isAll ? void selection.all(items, total) : selection.clear())}
			/>
			<ul className={classes.rows} aria-busy={trash.isPlaceholderData}>
				{items.map((node) => (
					<TrashRow
						key={node.id}
						node={node}
						isBusy={restore.isPending}
						isChosen={chosen.has(node.id)}
						onChoose={(isChosen) => selection.choose(node, isChosen)}
						onRestore={() => restoreNodes([node])}
						onPurge={() => onPurge([node])}
					/>
				))}
			</ul>
			<TrashBar
				chosen={chosen}
				isLoadingAll={selection.isLoadingAll}
				isBusy={restore.isPending}
				onRestore={() => restoreNodes([...chosen.values()])}
				onPurge={() => onPurge([...chosen.values()])}
				onClear={selection.clear}
			/>
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={m.files_trash_pages()}
					range={formatRange(before, items.length, total)}
					isFetching={trash.isPlaceholderData}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, trash.isPlaceholderData)}
				/>
			)}
		</>
	);
}

interface TrashListHeaderProps {
	/** Number of selected items on all pages. */
	count: number;
	total: number;
	isBusy: boolean;
	onAll: (isAll: boolean) => void;
}

function TrashListHeader({ count, total, isBusy, onAll }: TrashListHeaderProps) {
	const allId = useId();
	return (
		<div className={classes.header}>
			<label className={classes.all} htmlFor={allId}>
				<SelectAllCheckbox
					id={allId}
					selected={count === 0 ? 'none' : count < total ? 'some' : 'all'}
					isDisabled={isBusy}
					onSelectAll={onAll}
				/>
				<span>{m.files_select_all()}</span>
			</label>
			<span>{m.files_trash_original_folder()}</span>
			<span className={classes.end}>{m.files_size()}</span>
			<span>{m.files_trash_deleted()}</span>
			<span>{m.files_trash_expires()}</span>
			<span />
		</div>
	);
}
