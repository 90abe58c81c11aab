import { Box, Center, Flex } from '@mantine/core';
import { IconRestore, IconTrashX } from '@tabler/icons-react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { formatDate, formatDateTime, formatSize } from '#web/platform/formats/format.ts';
import { PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { FileIcon, FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { DeniedState } from '#web/ui/states/states.tsx';
import { NodeSelectionBar } from '../actions/bulk-bar.tsx';
import nodeClasses from '../list/node.module.css';
import { locationText, NodeCheckbox, SelectAllCheckbox } from '../list/node-parts.tsx';
import { trashPageOptions, trashPageSize, useTrashActions, useTrashSelection } from './trash-api.ts';
import classes from './trash-view.module.css';

interface TrashListProps {
	owner: string;
	q: string;
	/** Opens the confirmation. `onPurged` must be called after the purge. */
	onPurge: (nodes: readonly TrashedNode[], onPurged: () => void) => void;
}

/** Must have the search as its `key`, so that a changed search starts at page 1. */
export function TrashList({ owner, q, onPurge }: TrashListProps) {
	const selection = useTrashSelection(owner, q);
	const list = usePagedQuery(trashPageSize, ({ cursor }) => trashPageOptions(owner, q, cursor));
	const { restore } = useTrashActions();
	if (describeFailure(list.page.error).status === 404)
		return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
	const total = list.page.data?.total ?? 0;
	const { chosen, isLoadingAll } = selection;
	const chosenNodes = () => [...chosen.values()];
	const purgeNodes = (nodes: readonly TrashedNode[]) => onPurge(nodes, () => selection.drop(nodes));
	const restoreNodes = (nodes: readonly TrashedNode[]) =>
		restore.mutate(nodes, { onSuccess: () => selection.drop(nodes) });
	return (
		<PagedList
			list={list}
			texts={{
				failed: m.files_trash_failed(),
				empty: q.trim() === '' ? m.files_trash_empty() : m.files_trash_no_match(),
				pages: m.files_trash_pages(),
			}}
			skeleton={<SkeletonLines label={m.files_trash_loading()} count={8} height="40px" />}
			isHiddenOnSinglePage
		>
			{(items, isFetching) => (
				<>
					<Box component="p" mb={16} c="dimmed">
						{m.files_trash_note()}
					</Box>
					<div className={classes.header}>
						<Flex component="label" align="center" gap={12} className={classes.all}>
							<SelectAllCheckbox
								selected={chosen.size}
								total={total}
								isDisabled={isLoadingAll || isFetching}
								onSelectAll={(isAll) => (isAll ? void selection.all(items, total) : selection.clear())}
							/>
							<span>{m.files_select_all()}</span>
						</Flex>
						<span>{m.files_trash_original_folder()}</span>
						<span className={classes.end}>{m.files_size()}</span>
						<span>{m.files_trash_deleted()}</span>
						<span>{m.files_trash_expires()}</span>
						<span />
					</div>
					<ul className={classes.rows} aria-busy={isFetching}>
						{items.map((node) => (
							<TrashRow
								key={node.id}
								node={node}
								isBusy={restore.isPending}
								isChosen={chosen.has(node.id)}
								onChoose={(isChosen) => (isChosen ? selection.add([node]) : selection.drop([node]))}
								onRestore={() => restoreNodes([node])}
								onPurge={() => purgeNodes([node])}
							/>
						))}
					</ul>
					<NodeSelectionBar
						chosen={chosen}
						isLoadingAll={isLoadingAll}
						isBusy={restore.isPending}
						actions={[
							{ label: m.files_restore(), icon: IconRestore, onClick: () => restoreNodes(chosenNodes()) },
							{
								label: m.files_purge(),
								icon: IconTrashX,
								onClick: () => purgeNodes(chosenNodes()),
								isDangerous: true,
							},
						]}
						onClear={selection.clear}
					/>
				</>
			)}
		</PagedList>
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

function TrashRow({ node, isBusy, isChosen, onChoose, onRestore, onPurge }: TrashRowProps) {
	const { kind, name, folders, size, deletedAt, expiresAt } = node;
	const location = locationText(folders);
	return (
		<li className={classes.row}>
			<span className={nodeClasses.main}>
				<NodeCheckbox name={name} isSelected={isChosen} onSelect={() => onChoose(!isChosen)} />
				<Center component="span" flex="none" w={32}>
					{kind === 'folder' ? <FolderIcon /> : <FileIcon name={name} />}
				</Center>
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
					icon={IconRestore}
					disabled={isBusy}
					onClick={onRestore}
				>
					{m.files_restore()}
				</Button>
				<IconButton size="small" label={m.files_purge_of({ name })} icon={IconTrashX} onClick={onPurge} />
			</span>
		</li>
	);
}
