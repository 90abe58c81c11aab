// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions its rows, which a <table> does not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are focusable instead of cells.
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { useOpenedInUrl } from '#web/platform/browser/url-state.ts';
import { formatSize } from '#web/platform/formats/format.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from '../list/node.module.css';
import { itemCountText, locationText } from '../list/node-parts.tsx';
import { NodeRow } from '../list/node-row.tsx';
import { useListingKeyboard } from '../list-state/use-listing-keyboard.ts';
import type { NodeSelection } from '../list-state/use-node-selection.ts';
import { VirtualGrid } from '../list-state/virtual-grid.tsx';
import { FilePreview } from '../preview/file-preview.tsx';
import { useOpenFile } from '../preview/listing-preview.tsx';
import { previewFilesOf } from '../preview/preview-files.ts';

interface NodeTableProps {
	label: string;
	asideLabel: string;
	count: number;
	nodeAt: (index: number) => Node | undefined;
	/** Called after every render with the range of the rendered rows; `end` is exclusive. */
	onVisibleRange: (start: number, end: number) => void;
	searchParamsOf: (folder: Node) => Record<string, string>;
	aside: (node: Node) => ReactNode;
	/** The owner of the node's space, for rows from several spaces; shown below the name. */
	ownerLabel?: (node: Node) => string | undefined;
	/** Text below the name. By default the location, the size or the number of items. */
	note?: (node: Node) => string | undefined;
	selection?: NodeSelection;
}

const heights = { desktop: 56, phone: 124, phoneWithOwner: 158 };

/** A table of folders and files. `aside` renders the cells of the second column. Files open in the preview. */
export function NodeTable(props: NodeTableProps) {
	const { label, asideLabel, count, nodeAt, onVisibleRange, searchParamsOf, aside, ownerLabel, note, selection } =
		props;
	const isPhone = useIsPhone();
	const phoneHeightPx = ownerLabel === undefined ? heights.phone : heights.phoneWithOwner;
	const navigate = useNavigate();
	const { opened: shownId, goTo, close } = useOpenedInUrl('preview');
	const openFile = useOpenFile();
	const links = { toFolder: searchParamsOf, toParent: () => null };
	const { select } = selection ?? {};
	const actions = useMemo(() => ({ open: openFile, select }), [openFile, select]);
	const { cursor, containerProps } = useListingKeyboard({
		folders: 0,
		files: count,
		onOpen: (index) => {
			const node = nodeAt(index);
			if (node?.kind === 'folder') void navigate({ to: '.', search: searchParamsOf(node) });
			else if (node !== undefined) openFile(node);
			return node !== undefined;
		},
		selection,
	});
	const loaded = shownId === null ? [] : Array.from({ length: count }, (_, index) => nodeAt(index) ?? []).flat();
	const noteOf = (node: Node) =>
		[ownerLabel?.(node), note?.(node) ?? defaultNote(node)].filter((part) => part !== undefined).join(' · ');
	return (
		<div {...containerProps}>
			<div
				role="grid"
				aria-label={label}
				aria-rowcount={count + 1}
				aria-multiselectable={selection && true}
				className={classes.table}
			>
				<div role="rowgroup">
					<div role="row" aria-rowindex={1} className={`${classes.header} ${textClasses.hiddenOnPhone}`}>
						<span role="columnheader">{m.files_name()}</span>
						<span role="columnheader">{asideLabel}</span>
					</div>
				</div>
				<VirtualGrid
					count={count}
					heightPx={isPhone ? phoneHeightPx : heights.desktop}
					gapPx={0}
					minWidthPx={0}
					cursor={cursor}
					onVisibleRange={onVisibleRange}
					render={(index) => {
						const node = nodeAt(index);
						return (
							<NodeRow
								node={node}
								index={index}
								rowIndex={index}
								isCursor={cursor === index}
								isSelected={node !== undefined && selection?.selection.chosen.has(node.id) === true}
								isPhone={isPhone}
								actions={actions}
								links={links}
								table={node && { note: noteOf(node), aside: aside(node) }}
							/>
						);
					}}
				/>
			</div>
			<FilePreview files={previewFilesOf(loaded)} shownId={shownId} onShow={goTo} onClose={close} />
		</div>
	);
}

function defaultNote({ kind, folders, itemCount, size }: Node): string {
	if (folders !== null) return locationText(folders);
	return kind === 'file' ? formatSize(size) : itemCountText(itemCount);
}
