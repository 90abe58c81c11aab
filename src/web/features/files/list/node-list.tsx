// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
import { type ReactNode, useCallback, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { FailedState } from '#web/ui/states/states.tsx';
import { useStableCallback } from '../../../ui/hooks/latest-value.ts';
import { BulkBar } from '../actions/bulk-bar.tsx';
import { type NodeDialogState, NodeDialogs } from '../actions/node-dialogs.tsx';
import { beginDrag, dropHandlers } from '../actions/node-drag.ts';
import type { NodeActions } from '../actions/node-menu.tsx';
import type { NodeOperations } from '../actions/use-node-operations.ts';
import { ZipSelectionLink } from '../actions/zip-download.tsx';
import { type FileListQuery, isFiltered, toggleSort } from '../file-list-query.ts';
import type { ListingRows } from '../list-state/listing-rows.ts';
import { countNodes, type NodeCounts } from '../list-state/node-counts.ts';
import { deselect } from '../list-state/selection.ts';
import type { Listing, ListingSummary } from '../list-state/use-listing.ts';
import { useListingKeyboard } from '../list-state/use-listing-keyboard.ts';
import { useNodeSelection } from '../list-state/use-node-selection.ts';
import { VirtualGrid, type VirtualGridHandle } from '../list-state/virtual-grid.tsx';
import { usePreviewInUrl } from '../preview/listing-preview.tsx';
import { downloadUrl, mainActionOf } from '../preview/preview-file.ts';
import { FileListHeader } from './file-list-header.tsx';
import { FileRow } from './file-row.tsx';
import { FileTile } from './file-tile.tsx';
import { FolderCard } from './folder-card.tsx';
import classes from './folder-listing.module.css';
import { FilesHeading, FoldersHeading } from './listing-sections.tsx';
import type { NodeLinks } from './node-location.tsx';

/** Number of nodes loaded beyond the last visible one. */
const prefetchRows = 100;

const sizes = {
	desktop: { card: 60, gap: 12, cardMin: 240, row: 48, tile: 204, tileMin: 208 },
	phone: { card: 76, gap: 8, cardMin: 160, row: 64, tile: 176, tileMin: 140 },
} as const;

interface NodeListProps {
	owner: string;
	folder: Listing;
	first: ListingSummary;
	rows: ListingRows;
	listQuery: FileListQuery;
	links: NodeLinks;
	onChange: (change: Partial<FileListQuery>) => void;
	/** Text shown when a page could not be loaded. */
	failedText: string;
	/** Undefined where writing is not permitted. */
	operations: NodeOperations | undefined;
	/** Undefined where sharing is not offered. */
	onShare: ((nodes: Node[]) => void) | undefined;
	renderBadge: ((node: Node) => ReactNode) | undefined;
}

/** Folders as cards and files as a list or grid, with keyboard, mouse and touch control over both. */
export function NodeList(props: NodeListProps) {
	const { owner, folder, first, rows, listQuery, onChange, failedText, operations, onShare, renderBadge } = props;
	useSyncExternalStore(rows.subscribe, rows.version);
	const isPhone = useIsPhone();
	const size = isPhone ? sizes.phone : sizes.desktop;
	const cards = useRef<VirtualGridHandle>(null);
	const tiles = useRef<VirtualGridHandle>(null);
	const { open: openPreview } = usePreviewInUrl();
	const [dialog, setDialog] = useState<NodeDialogState | null>(null);
	const totals = isFiltered(listQuery) ? undefined : first.totals;
	const counts = countNodes(rows, totals);
	const canWrite = operations !== undefined;
	const listKey = `${listQuery.q}\n${listQuery.type}\n${listQuery.sort}\n${listQuery.order}`;
	const nodeSelection = useNodeSelection({ rows, folders: counts.folders, listKey });
	const { chosen } = nodeSelection.selection;

	const open = useStableCallback((node: Node) => {
		if (mainActionOf(node) === 'preview') openPreview(node.id);
		else if (node.url !== null) window.location.assign(downloadUrl(node.url));
	});
	const select = useStableCallback((index: number, isRange: boolean) =>
		isRange ? nodeSelection.to(index, index) : nodeSelection.toggle(index),
	);
	const actions: NodeActions = useMemo(
		() => ({
			canWrite,
			open,
			select,
			rename: (node) => setDialog({ kind: 'rename', node }),
			move: (nodes) => setDialog({ kind: 'move', nodes }),
			copy: (nodes) => setDialog({ kind: 'copy', nodes }),
			remove: (nodes) => setDialog({ kind: 'remove', nodes }),
			share: onShare,
			renderBadge,
		}),
		[canWrite, open, select, onShare, renderBadge],
	);
	const { cursor, containerProps } = useListingKeyboard({
		folders: counts.folders,
		files: counts.files,
		cards,
		tiles,
		onOpen: (index) => {
			const node = nodeSelection.nodeAt(index);
			if (node?.kind !== 'file') return false;
			open(node);
			return true;
		},
		onDelete: (index) => {
			const node = nodeSelection.nodeAt(index);
			const nodes = chosen.size > 0 ? [...chosen.values()] : node ? [node] : [];
			if (canWrite && nodes.length > 0) actions.remove(nodes);
		},
		onRename: (index) => {
			const node = nodeSelection.nodeAt(index);
			if (canWrite && node) actions.rename(node);
		},
		select: {
			toggle: nodeSelection.toggle,
			to: nodeSelection.to,
			all: () => void nodeSelection.all(),
			clear: () => {
				nodeSelection.clear();
				return chosen.size > 0;
			},
		},
	});
	const toFolder = useStableCallback(props.links.toFolder);
	const toParent = useStableCallback(props.links.toParent);
	const links: NodeLinks = useMemo(() => ({ toFolder, toParent }), [toFolder, toParent]);
	const loadFoldersTo = useStableCallback((end: number) => {
		if (counts.files === 0 || end < counts.folders) rows.loadUntil(end + prefetchRows);
	});
	const loadFilesTo = useStableCallback((end: number) => rows.loadUntil(counts.folders + end + prefetchRows));
	const onVisibleFolders = useCallback(
		(start: number, end: number) => {
			rows.setVisibleRange('folders', start, end);
			loadFoldersTo(end);
		},
		[rows, loadFoldersTo],
	);
	const onVisibleFiles = useCallback(
		(start: number, end: number) => {
			rows.setVisibleRange('files', start, end);
			loadFilesTo(end);
		},
		[rows, loadFilesTo],
	);
	const isGrid = listQuery.view === 'grid';
	const keysId = useId();

	const fileSlots = (
		<VirtualGrid
			ref={tiles}
			count={counts.files}
			heightPx={isGrid ? size.tile : size.row}
			gapPx={isGrid ? size.gap : 0}
			minWidthPx={isGrid ? size.tileMin : 0}
			cursor={cursor - counts.folders}
			onVisibleRange={onVisibleFiles}
			render={(at) => {
				const file = rows.files[at];
				const index = counts.folders + at;
				const shared = {
					file,
					index,
					isCursor: cursor === index,
					isSelected: file !== undefined && chosen.has(file.id),
					actions,
					links,
				};
				return isGrid ? <FileTile {...shared} /> : <FileRow {...shared} position={at + 1} isPhone={isPhone} />;
			}}
		/>
	);

	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: the entries inside are what one presses, drags and moves between.
		<div
			className={classes.listing}
			aria-busy={folder.isStale}
			data-selecting={chosen.size > 0 || undefined}
			{...containerProps}
			{...nodeSelection.pointerProps}
			{...(operations && dropHandlers((nodes, path) => void operations.move(nodes, path)))}
			onDragStart={(event) => {
				const index = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-entry]') : null;
				const node = index === null ? undefined : nodeSelection.nodeAt(Number(index.dataset.entry));
				if (node && canWrite) beginDrag(event, chosen.has(node.id) ? [...chosen.values()] : [node]);
			}}
		>
			<p id={keysId} className={classes.hidden}>
				{canWrite ? m.files_keys_write() : m.files_keys()}
			</p>
			{counts.folders > 0 && (
				<section>
					<FoldersHeading counts={counts} totals={totals} />
					<VirtualGrid
						ref={cards}
						count={counts.folders}
						heightPx={size.card}
						gapPx={size.gap}
						minWidthPx={size.cardMin}
						cursor={cursor}
						onVisibleRange={onVisibleFolders}
						render={(index) => {
							const each = rows.folders[index];
							return (
								<FolderCard
									folder={each}
									index={index}
									isCursor={cursor === index}
									isSelected={each !== undefined && chosen.has(each.id)}
									actions={actions}
									links={links}
								/>
							);
						}}
					/>
				</section>
			)}
			{counts.files > 0 && (
				<section>
					<FilesHeading counts={counts} totals={totals} />
					{isGrid ? (
						fileSlots
					) : (
						<div
							role="grid"
							aria-label={m.files_files()}
							aria-rowcount={counts.isExact ? counts.files + 1 : -1}
							aria-multiselectable
							aria-describedby={keysId}
						>
							<FileListHeader
								listQuery={listQuery}
								onSort={listQuery.q.trim() === '' ? (sort) => onChange(toggleSort(listQuery, sort)) : undefined}
								selected={selectionStateOf(chosen.size, counts)}
								onSelectAll={(isAll) => (isAll ? void nodeSelection.all() : nodeSelection.clear())}
							/>
							{fileSlots}
						</div>
					)}
				</section>
			)}
			{rows.failure !== undefined && (
				<FailedState text={failedText} detail={describeFailure(rows.failure).message} onRetry={() => rows.retry()} />
			)}
			<BulkBar
				chosen={chosen}
				actions={actions}
				isBusy={operations?.isBusy === true}
				isLoadingAll={nodeSelection.isLoadingAll}
				download={<ZipSelectionLink ids={[...chosen.keys()]} />}
				onClear={nodeSelection.clear}
			/>
			{operations !== undefined && (
				<NodeDialogs
					dialog={dialog}
					start={{ owner, path: listQuery.path }}
					operations={operations}
					onProcessed={(ids) => nodeSelection.set(deselect(nodeSelection.selection, ids))}
					onClose={() => setDialog(null)}
				/>
			)}
		</div>
	);
}

function selectionStateOf(selected: number, { folders, files }: NodeCounts): 'all' | 'some' | 'none' {
	if (selected === 0) return 'none';
	return selected >= folders + files ? 'all' : 'some';
}
