// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows take the focus, not their cells.
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { useStableCallback } from '../../../ui/hooks/latest-value.ts';
import { FileThumb } from '../list/file-thumb.tsx';
import { useListingKeyboard } from '../list-state/use-listing-keyboard.ts';
import { VirtualGrid, type VirtualGridHandle } from '../list-state/virtual-grid.tsx';
import { usePreviewInUrl } from '../preview/listing-preview.tsx';
import { downloadUrl, mainActionOf, previewFilesOf } from '../preview/preview-file.ts';
import { PreviewOverlay } from '../preview/preview-overlay.tsx';
import classes from './node-table.module.css';

/** Checkboxes before the rows, to select several. */
interface RowSelection {
	chosen: ReadonlyMap<string, Node>;
	toggle: (index: number) => void;
	to: (index: number, from: number) => void;
	all: () => void;
	clear: () => void;
}

interface NodeTableProps {
	/** Names the list for screen readers. */
	label: string;
	/** Heading of the second column, if it has one. */
	asideLabel: string;
	/** Number of rows, loaded or not. */
	count: number;
	nodeAt: (index: number) => Node | undefined;
	/** Called with the end of the visible range. */
	onVisibleRange: (end: number) => void;
	/** The search parameters that open a folder. */
	searchParamsOf: (folder: Node) => Record<string, string>;
	/** Rendered at the end of a row. */
	aside: (node: Node) => ReactNode;
	/** The owner of the node's space, where rows come from several; shown first in the line below the name. */
	ownerLabel?: (node: Node) => string | undefined;
	/** Text of that line; by default the size or the number of items. */
	note?: (node: Node) => string | undefined;
	selection?: RowSelection | undefined;
}

const noSelection = { toggle: () => {}, to: () => {}, all: () => {} };
const heights = { desktop: 56, phone: 124, phoneWithStorage: 158 };

/** Folders and files as a table with one row each and content at the end of a row; files open in the preview. */
export function NodeTable(props: NodeTableProps) {
	const { label, asideLabel, count, nodeAt, onVisibleRange, searchParamsOf, aside, ownerLabel, note, selection } =
		props;
	const isPhone = useIsPhone();
	const phoneHeightPx = ownerLabel === undefined ? heights.phone : heights.phoneWithStorage;
	const navigate = useNavigate();
	const slots = useRef<VirtualGridHandle>(null);
	const noCards = useRef<VirtualGridHandle>(null);
	const { shownId, open: openPreview, goTo, close } = usePreviewInUrl();
	const open = (node: Node) => {
		if (node.kind === 'folder') void navigate({ to: '.', search: searchParamsOf(node) });
		else if (mainActionOf(node) === 'preview') openPreview(node.id);
		else if (node.url !== null) window.location.assign(downloadUrl(node.url));
	};
	const { cursor, containerProps } = useListingKeyboard({
		folders: 0,
		files: count,
		cards: noCards,
		tiles: slots,
		onOpen: (index) => {
			const node = nodeAt(index);
			if (node !== undefined) open(node);
			return node !== undefined;
		},
		onDelete: () => {},
		onRename: () => {},
		select: {
			...(selection ?? noSelection),
			clear: () => {
				selection?.clear();
				return selection !== undefined && selection.chosen.size > 0;
			},
		},
	});
	const onRange = useStableCallback(onVisibleRange);
	return (
		<div {...containerProps}>
			<div role="grid" aria-label={label} aria-rowcount={count + 1} aria-multiselectable={selection && true}>
				<div role="rowgroup">
					<div role="row" aria-rowindex={1} className={classes.header}>
						<span role="columnheader">{m.files_name()}</span>
						<span role="columnheader">{asideLabel}</span>
					</div>
				</div>
				<VirtualGrid
					ref={slots}
					count={count}
					heightPx={isPhone ? phoneHeightPx : heights.desktop}
					gapPx={0}
					minWidthPx={0}
					cursor={cursor}
					onVisibleRange={onRange}
					render={(index) => {
						const node = nodeAt(index);
						return (
							<div
								role="row"
								aria-rowindex={index + 2}
								aria-selected={selection && node ? selection.chosen.has(node.id) : undefined}
								aria-busy={node === undefined || undefined}
								className={classes.row}
								data-row={index}
								tabIndex={cursor === index ? 0 : -1}
							>
								{node === undefined ? (
									<div role="gridcell" className={classes.main} aria-label={m.common_loading()}>
										<Skeleton width="32px" height="32px" />
										<Skeleton width="44%" />
									</div>
								) : (
									<>
										<div role="gridcell" className={classes.main}>
											{selection !== undefined && <RowCheckbox node={node} index={index} selection={selection} />}
											<Name
												node={node}
												ownerLabel={ownerLabel?.(node)}
												note={note?.(node)}
												searchParamsOf={searchParamsOf}
												onOpen={() => open(node)}
											/>
										</div>
										<div role="gridcell" className={classes.aside}>
											{aside(node)}
										</div>
									</>
								)}
							</div>
						);
					}}
				/>
			</div>
			<PreviewOverlay
				files={shownId === null ? [] : previewFilesOf(loadedNodes(count, nodeAt))}
				shownId={shownId}
				onShow={goTo}
				onClose={close}
			/>
		</div>
	);
}

function RowCheckbox({ node, index, selection }: { node: Node; index: number; selection: RowSelection }) {
	return (
		<input
			type="checkbox"
			className={classes.box}
			checked={selection.chosen.has(node.id)}
			aria-label={m.files_select_of({ name: node.name })}
			onChange={({ nativeEvent }) => {
				if (nativeEvent instanceof MouseEvent && nativeEvent.shiftKey) selection.to(index, index);
				else selection.toggle(index);
			}}
		/>
	);
}

interface NameProps {
	node: Node;
	ownerLabel: string | undefined;
	note: string | undefined;
	searchParamsOf: (folder: Node) => Record<string, string>;
	onOpen: () => void;
}

function Name({ node, ownerLabel, note, searchParamsOf, onOpen }: NameProps) {
	const { kind, name, folders } = node;
	const location = folders === null ? undefined : folders.length === 0 ? m.files_at_root() : folders.join(' / ');
	return (
		<>
			{kind === 'folder' ? (
				<span className={classes.icon}>
					<FolderIcon />
				</span>
			) : (
				<FileThumb file={node} size={32} canWrite={false} />
			)}
			<span className={classes.text}>
				{kind === 'folder' ? (
					<Link to="." search={searchParamsOf(node)} className={classes.name} title={name}>
						<bdi>{name}</bdi>
					</Link>
				) : (
					<button type="button" className={classes.name} title={name} onClick={onOpen}>
						<bdi>{name}</bdi>
					</button>
				)}
				<span className={classes.note} dir="auto">
					{[ownerLabel, note ?? location ?? sizeText(node)].filter((word) => word !== undefined).join(' · ')}
				</span>
			</span>
		</>
	);
}

function sizeText({ kind, itemCount, size }: Node): string {
	if (kind === 'file') return formatSize(size);
	return itemCount === 1 ? m.files_items_one() : m.files_items({ count: formatCount(itemCount) });
}

function loadedNodes(count: number, nodeAt: (index: number) => Node | undefined): Node[] {
	const nodes: Node[] = [];
	for (let index = 0; index < count; index += 1) {
		const node = nodeAt(index);
		if (node === undefined) break;
		nodes.push(node);
	}
	return nodes;
}
