import { IconRestore, IconTrashX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { formatCount, formatDate, formatDateTime, formatSize } from '#web/platform/formats/format.ts';
import { formatRange, Pager, useKeysetPages } from '#web/ui/data/pager.tsx';
import { FileIcon, FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { DeniedState, EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { useLastNonNull } from '../../../ui/hooks/latest-value.ts';
import { SelectionBar } from '../actions/bulk-bar.tsx';
import { NodeNames } from '../actions/delete-dialog.tsx';
import nodeClasses from '../list/node.module.css';
import { locationText, NodeCheckbox, SelectAllCheckbox } from '../list/node-parts.tsx';
import { trashPageSize, usePurge, useRestore, useTrash, useTrashSelection } from './trash-api.ts';
import classes from './trash-view.module.css';

interface TrashListProps {
	owner: string;
	q: string;
}

/** The items of a trash, page by page, and the question before they are purged. Remount (`key`) for another search. */
export function TrashList({ owner, q }: TrashListProps) {
	const selection = useTrashSelection(owner, q);
	const purge = usePurge();
	const [purged, setPurged] = useState<readonly TrashedNode[] | null>(null);
	const shown = useLastNonNull(purged) ?? [];
	return (
		<>
			<TrashPage owner={owner} q={q} selection={selection} onPurge={setPurged} />
			<ConfirmDialog
				isOpen={purged !== null}
				onClose={() => setPurged(null)}
				onConfirm={() =>
					purged !== null &&
					purge.mutate(purged, { onSuccess: () => selection.drop(purged), onSettled: () => setPurged(null) })
				}
				question={
					shown.length > 1
						? m.files_empty_trash_question({ count: formatCount(shown.length) })
						: m.files_purge_question()
				}
				detail={
					<>
						<NodeNames nodes={shown} />
						<p>{m.files_purge_note()}</p>
					</>
				}
				confirmLabel={m.files_purge()}
				isBusy={purge.isPending}
			/>
		</>
	);
}

interface TrashPageProps extends TrashListProps {
	selection: ReturnType<typeof useTrashSelection>;
	onPurge: (nodes: readonly TrashedNode[]) => void;
}

function TrashPage({ owner, q, selection, onPurge }: TrashPageProps) {
	const pages = useKeysetPages();
	const trash = useTrash(owner, q, pages.cursor);
	const restore = useRestore();
	const allId = useId();
	if (trash.isPending) return <SkeletonLines label={m.files_trash_loading()} count={8} height="40px" />;
	if (trash.isError) {
		if (describeFailure(trash.error).status === 404)
			return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		return <FailedQuery text={m.files_trash_failed()} query={trash} />;
	}
	const { items, total, nextCursor } = trash.data;
	if (items.length === 0 && pages.pageIndex === 0)
		return <EmptyState text={q.trim() === '' ? m.files_trash_empty() : m.files_trash_no_match()} />;
	const { chosen, isLoadingAll } = selection;
	const chosenNodes = () => [...chosen.values()];
	const restoreNodes = (nodes: readonly TrashedNode[]) =>
		restore.mutate(nodes, { onSuccess: () => selection.drop(nodes) });
	return (
		<>
			<p className={classes.note}>{m.files_trash_note()}</p>
			<div className={classes.header}>
				<label className={classes.all} htmlFor={allId}>
					<SelectAllCheckbox
						id={allId}
						selected={chosen.size}
						total={total}
						isDisabled={isLoadingAll || trash.isPlaceholderData}
						onSelectAll={(isAll) => (isAll ? void selection.all(items, total) : selection.clear())}
					/>
					<span>{m.files_select_all()}</span>
				</label>
				<span>{m.files_trash_original_folder()}</span>
				<span className={classes.end}>{m.files_size()}</span>
				<span>{m.files_trash_deleted()}</span>
				<span>{m.files_trash_expires()}</span>
				<span />
			</div>
			<ul className={classes.rows} aria-busy={trash.isPlaceholderData}>
				{items.map((node) => (
					<TrashRow
						key={node.id}
						node={node}
						isBusy={restore.isPending}
						isChosen={chosen.has(node.id)}
						onChoose={(isChosen) => (isChosen ? selection.add([node]) : selection.drop([node]))}
						onRestore={() => restoreNodes([node])}
						onPurge={() => onPurge([node])}
					/>
				))}
			</ul>
			<SelectionBar
				chosen={chosen}
				isLoadingAll={isLoadingAll}
				isBusy={restore.isPending}
				actions={[
					{ label: m.files_restore(), Drawing: IconRestore, onClick: () => restoreNodes(chosenNodes()) },
					{ label: m.files_purge(), Drawing: IconTrashX, onClick: () => onPurge(chosenNodes()), isDangerous: true },
				]}
				onClear={selection.clear}
			/>
			{(pages.onPrevious !== undefined || nextCursor !== null) && (
				<Pager
					label={m.files_trash_pages()}
					range={formatRange(pages.pageIndex * trashPageSize, items.length, total)}
					isFetching={trash.isPlaceholderData}
					onPrevious={pages.onPrevious}
					onNext={pages.onNext(nextCursor, trash.isPlaceholderData)}
				/>
			)}
		</>
	);
}

interface TrashRowProps {
	node: TrashedNode;
	isBusy: boolean;
	isChosen: boolean;
	onChoose: (isChosen: boolean) => void;
	onRestore: () => void;
	onPurge: () => void;
}

/** An item in the trash: its name and location, when it was deleted, and when it will be purged. */
function TrashRow({ node, isBusy, isChosen, onChoose, onRestore, onPurge }: TrashRowProps) {
	const { kind, name, folders, size, deletedAt, expiresAt } = node;
	const location = locationText(folders);
	return (
		<li className={classes.row}>
			<span className={nodeClasses.main}>
				<NodeCheckbox name={name} isSelected={isChosen} onSelect={() => onChoose(!isChosen)} />
				<span className={nodeClasses.icon}>{kind === 'folder' ? <FolderIcon /> : <FileIcon name={name} />}</span>
				<bdi className={classes.name} title={name}>
					{name}
				</bdi>
			</span>
			<span className={classes.location} title={location} dir="auto">
				<span className={classes.label}>{m.files_trash_original_folder()}: </span>
				{location}
			</span>
			<span className={classes.size}>{formatSize(size)}</span>
			<span className={classes.date}>
				<span className={classes.label}>{m.files_trash_deleted()}: </span>
				<time dateTime={deletedAt}>{formatDateTime(deletedAt)}</time>
			</span>
			<span className={classes.date}>
				<span className={classes.label}>{m.files_trash_expires()}: </span>
				<time dateTime={expiresAt}>{formatDate(expiresAt)}</time>
			</span>
			<span className={nodeClasses.actions}>
				<Button
					size="small"
					variant="quiet"
					aria-label={m.files_restore_of({ name })}
					icon={<IconRestore {...smallIconProps} />}
					disabled={isBusy}
					onClick={onRestore}
				>
					{m.files_restore()}
				</Button>
				<IconButton
					size="small"
					label={m.files_purge_of({ name })}
					icon={<IconTrashX {...iconProps} />}
					onClick={onPurge}
				/>
			</span>
		</li>
	);
}
