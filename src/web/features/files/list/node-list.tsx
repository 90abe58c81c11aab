// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions its rows, which a <table> does not allow.
import { Box, Group, Stack } from '@mantine/core';
import { type ReactNode, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { dialogOnDemand } from '#web/ui/overlays/overlays-on-demand.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { BulkBar, ZipSelectionLink } from '../actions/bulk-bar.tsx';
import type { NodeDialogState } from '../actions/node-dialog.tsx';
import { beginDrag, dropHandlers } from '../actions/node-drag.ts';
import type { NodeActions } from '../actions/node-menu.tsx';
import type { NodeOperations } from '../actions/use-node-operations.ts';
import { type FileListQuery, isFiltered, toggleSort } from '../file-list-query.ts';
import { countNodes, type ListingRows } from '../list-state/listing-rows.ts';
import type { Listing, ListingSummary } from '../list-state/use-listing.ts';
import { useListingKeyboard } from '../list-state/use-listing-keyboard.ts';
import { deselect, useNodeSelection } from '../list-state/use-node-selection.ts';
import { VirtualGrid } from '../list-state/virtual-grid.tsx';
import { useOpenFile } from '../preview/listing-preview.tsx';
import { NodeCard } from './node-card.tsx';
import { NodeListHeader } from './node-list-header.tsx';
import { type NodeLinks, SelectAllCheckbox } from './node-parts.tsx';
import { NodeRow } from './node-row.tsx';

const NodeDialog = dialogOnDemand(() => import('../actions/node-dialog.tsx'), 'NodeDialog');

export const listSizes = {
	desktop: { card: 60, gap: 12, cardMin: 240, row: 48, tile: 204, tileMin: 208 },
	phone: { card: 76, gap: 8, cardMin: 160, row: 64, tile: 176, tileMin: 140 },
} as const;

export interface NodeListProps {
	owner: string;
	folder: Listing;
	first: ListingSummary;
	rows: ListingRows;
	listQuery: FileListQuery;
	links: NodeLinks;
	/** Changes the list query within the same folder, for example the sort order. */
	onChange: (change: Partial<FileListQuery>) => void;
	/** Undefined if the user may not write. */
	operations?: NodeOperations | undefined;
	/** Must be a stable function. Undefined if the user cannot share nodes. */
	onShare?: ((nodes: Node[]) => void) | undefined;
	/** Renders a badge beside the name. Must be a stable function. */
	renderBadge?: ((node: Node) => ReactNode) | undefined;
}

export function NodeList(props: NodeListProps) {
	const { owner, folder, first, rows, listQuery, onChange, operations, onShare, renderBadge } = props;
	useSyncExternalStore(rows.subscribe, rows.version);
	const isPhone = useIsPhone();
	const size = listSizes[isPhone ? 'phone' : 'desktop'];
	const folderColumns = useRef(1);
	const fileColumns = useRef(1);
	const [dialog, setDialog] = useState<NodeDialogState | null>(null);
	const totals = isFiltered(listQuery) ? undefined : first.totals;
	const { folders, files, isExact } = countNodes(rows, totals);
	const canWrite = operations !== undefined;
	const { q, type, sort, order } = listQuery;
	const nodeSelection = useNodeSelection({ rows, folders, listKey: JSON.stringify([q, type, sort, order]) });
	const { selection, nodeAt, select } = nodeSelection;
	const { chosen } = selection;

	const open = useOpenFile();
	const actions: NodeActions = useMemo(
		() => ({
			open,
			select,
			share: onShare,
			renderBadge,
			change: canWrite ? (kind, nodes) => setDialog({ kind, nodes }) : undefined,
		}),
		[canWrite, open, select, onShare, renderBadge],
	);
	const { cursor, containerProps } = useListingKeyboard({
		folders,
		files,
		folderColumns,
		fileColumns,
		onOpen: (index) => {
			const node = nodeAt(index);
			if (node?.kind !== 'file') return false;
			open(node);
			return true;
		},
		onChange: (kind, index) => {
			const node = nodeAt(index);
			const nodes = kind === 'remove' && chosen.size > 0 ? [...chosen.values()] : node ? [node] : [];
			if (nodes.length > 0) actions.change?.(kind, nodes);
		},
		selection: nodeSelection,
	});
	const toFolder = useStableCallback(props.links.toFolder);
	const toParent = useStableCallback(props.links.toParent);
	const links: NodeLinks = useMemo(() => ({ toFolder, toParent }), [toFolder, toParent]);
	const isGrid = listQuery.view === 'grid';
	const keysId = useId();

	const itemProps = (index: number) => {
		const node = nodeAt(index);
		const isSelected = node !== undefined && chosen.has(node.id);
		return { node, index, isCursor: cursor === index, isSelected, actions, links };
	};
	const fileItems = (
		<VirtualGrid
			columnsRef={fileColumns}
			count={files}
			heightPx={isGrid ? size.tile : size.row}
			gapPx={isGrid ? size.gap : 0}
			minWidthPx={isGrid ? size.tileMin : 0}
			cursor={cursor - folders}
			onVisibleRange={(start, end) => rows.setVisibleRange('files', start, end)}
			render={(at) =>
				isGrid ? (
					<NodeCard kind="file" {...itemProps(folders + at)} />
				) : (
					<NodeRow {...itemProps(folders + at)} rowIndex={at} isPhone={isPhone} />
				)
			}
		/>
	);

	return (
		<Stack
			gap={20}
			miw={0}
			opacity={folder.isStale ? 0.6 : undefined}
			aria-busy={folder.isStale}
			data-selecting={chosen.size > 0 || undefined}
			{...containerProps}
			{...nodeSelection.pointerProps}
			{...(operations && dropHandlers((nodes, path) => void operations.move(nodes, path)))}
			onDragStart={(event) => {
				const index = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-entry]') : null;
				const node = index === null ? undefined : nodeAt(Number(index.dataset.entry));
				if (node && canWrite) beginDrag(event, chosen.has(node.id) ? [...chosen.values()] : [node]);
			}}
		>
			<p id={keysId} className={textClasses.hidden}>
				{canWrite ? m.files_keys_write() : m.files_keys()}
			</p>
			{folders > 0 && (
				<section>
					<SectionHeading label={m.files_folders()}>
						{countText(totals?.folders ?? folders, rows.folders, isExact)}
					</SectionHeading>
					<VirtualGrid
						columnsRef={folderColumns}
						count={folders}
						heightPx={size.card}
						gapPx={size.gap}
						minWidthPx={size.cardMin}
						cursor={cursor}
						onVisibleRange={(start, end) => rows.setVisibleRange('folders', start, end)}
						render={(index) => <NodeCard kind="folder" {...itemProps(index)} />}
					/>
				</section>
			)}
			{files > 0 && (
				<section>
					<SectionHeading label={m.files_files()}>
						{totals === undefined
							? countText(files, rows.files, isExact)
							: m.files_count_and_size({ count: formatCount(totals.files), size: formatSize(totals.size) })}
					</SectionHeading>
					{isGrid ? (
						fileItems
					) : (
						<div
							role="grid"
							aria-label={m.files_files()}
							aria-rowcount={isExact ? files + 1 : -1}
							aria-multiselectable
							aria-describedby={keysId}
						>
							{!isPhone && (
								<NodeListHeader
									listQuery={listQuery}
									onSort={q.trim() === '' ? (key) => onChange(toggleSort(listQuery, key)) : undefined}
								>
									<SelectAllCheckbox
										selected={chosen.size}
										total={folders + files}
										onSelectAll={(isAll) => (isAll ? void nodeSelection.all() : nodeSelection.clear())}
									/>
								</NodeListHeader>
							)}
							{fileItems}
						</div>
					)}
				</section>
			)}
			<BulkBar
				chosen={chosen}
				actions={actions}
				isBusy={operations?.isBusy === true}
				isLoadingAll={nodeSelection.isLoadingAll}
				onClear={nodeSelection.clear}
			>
				<ZipSelectionLink ids={[...chosen.keys()]} />
			</BulkBar>
			{operations !== undefined && dialog !== null && (
				<NodeDialog
					{...dialog}
					start={{ owner, path: listQuery.path }}
					operations={operations}
					onProcessed={(ids) => nodeSelection.set(deselect(selection, ids))}
					onClose={() => setDialog(null)}
				/>
			)}
		</Stack>
	);
}

function SectionHeading({ label, children }: { label: string; children: ReactNode }) {
	return (
		<Group component="h2" gap={8} align="baseline" wrap="nowrap" mb={10} fz="var(--text-13)" fw={600}>
			{label}{' '}
			<Box component="span" className={textClasses.figure} fw={400}>
				{children}
			</Box>
		</Group>
	);
}

/** If the number is unknown, returns 'at least' the number of loaded nodes. */
function countText(count: number, loaded: readonly Node[], isExact: boolean): string {
	return isExact ? formatCount(count) : m.files_at_least({ count: formatCount(loaded.length) });
}
