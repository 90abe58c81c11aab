// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
import { type ReactNode, useCallback, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { FailedState } from '#web/ui/faces.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { ArchiveOfSelection } from './archive-link.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { countEntries, type EntryCounts } from './entry-counts.ts';
import { EntryDialogs, type EntryQuestion } from './entry-dialogs.tsx';
import { EntrySlots, type SlotsHandle } from './entry-slots.tsx';
import { FileHeads } from './file-heads.tsx';
import { type FilePlace, isNarrowed, sortedBy } from './file-place.ts';
import { downloadUrl, mainActionOf } from './file-preview.ts';
import { FileRow } from './file-row.tsx';
import { FileTile } from './file-tile.tsx';
import { FolderCard } from './folder-card.tsx';
import classes from './folder-listing.module.css';
import { usePreviewAddress } from './listing-preview.tsx';
import type { ListingRows } from './listing-rows.ts';
import type { NodeActions } from './node-actions.ts';
import { beginDrag, dropHandlers } from './node-drag.ts';
import type { EntryLinks } from './node-place.tsx';
import { FilesHead, FoldersHead } from './section-head.tsx';
import { without } from './selection.ts';
import { useEntrySelection } from './use-entry-selection.ts';
import type { Listing, ListingHead } from './use-listing.ts';
import { useListingKeys } from './use-listing-keys.ts';
import type { NodeWork } from './use-node-work.ts';
import { useStable } from './use-stable.ts';

/** Entries asked for beyond the last one in the window. */
const aheadRows = 100;

const sizes = {
	desk: { card: 60, gap: 12, cardMin: 240, row: 48, tile: 204, tileMin: 208 },
	phone: { card: 76, gap: 8, cardMin: 160, row: 64, tile: 176, tileMin: 140 },
} as const;

interface EntriesProps {
	owner: string;
	folder: Listing;
	first: ListingHead;
	rows: ListingRows;
	place: FilePlace;
	links: EntryLinks;
	onChange: (change: Partial<FilePlace>) => void;
	/** Says that a page could not be loaded. */
	failedText: string;
	/** Undefined where nothing may be written. */
	work: NodeWork | undefined;
	/** Undefined where nothing is shared from. */
	onShare: ((nodes: Node[]) => void) | undefined;
	mark: ((node: Node) => ReactNode) | undefined;
}

/** Folders as cards, files as a list or a grid; the keyboard, the mouse and the finger over both. */
export function Entries(props: EntriesProps) {
	const { owner, folder, first, rows, place, onChange, failedText, work, onShare, mark } = props;
	useSyncExternalStore(rows.subscribe, rows.version);
	const isPhone = useIsPhone();
	const size = isPhone ? sizes.phone : sizes.desk;
	const cards = useRef<SlotsHandle>(null);
	const tiles = useRef<SlotsHandle>(null);
	const { open: openPreview } = usePreviewAddress();
	const [question, setQuestion] = useState<EntryQuestion | null>(null);
	const totals = isNarrowed(place) ? undefined : first.totals;
	const counts = countEntries(rows, totals);
	const canWrite = work !== undefined;
	const listKey = `${place.q}\n${place.type}\n${place.sort}\n${place.order}`;
	const picked = useEntrySelection({ rows, folders: counts.folders, listKey });
	const { chosen } = picked.selection;

	const open = useStable((node: Node) => {
		if (mainActionOf(node) === 'preview') openPreview(node.id);
		else if (node.url !== null) window.location.assign(downloadUrl(node.url));
	});
	const choose = useStable((index: number, isRange: boolean) =>
		isRange ? picked.to(index, index) : picked.toggle(index),
	);
	const actions: NodeActions = useMemo(
		() => ({
			canWrite,
			open,
			choose,
			rename: (node) => setQuestion({ kind: 'rename', node }),
			move: (nodes) => setQuestion({ kind: 'move', nodes }),
			copy: (nodes) => setQuestion({ kind: 'copy', nodes }),
			remove: (nodes) => setQuestion({ kind: 'remove', nodes }),
			share: onShare,
			mark,
		}),
		[canWrite, open, choose, onShare, mark],
	);
	const { cursor, containerProps } = useListingKeys({
		folders: counts.folders,
		files: counts.files,
		cards,
		tiles,
		onOpen: (index) => {
			const node = picked.nodeAt(index);
			if (node?.kind !== 'file') return false;
			open(node);
			return true;
		},
		onDelete: (index) => {
			const node = picked.nodeAt(index);
			const nodes = chosen.size > 0 ? [...chosen.values()] : node ? [node] : [];
			if (canWrite && nodes.length > 0) actions.remove(nodes);
		},
		onRename: (index) => {
			const node = picked.nodeAt(index);
			if (canWrite && node) actions.rename(node);
		},
		select: {
			toggle: picked.toggle,
			to: picked.to,
			all: () => void picked.all(),
			clear: () => {
				picked.clear();
				return chosen.size > 0;
			},
		},
	});
	const into = useStable(props.links.into);
	const placeOf = useStable(props.links.placeOf);
	const links: EntryLinks = useMemo(() => ({ into, placeOf }), [into, placeOf]);
	const wantFolders = useStable((end: number) => {
		if (counts.files === 0 || end < counts.folders) rows.want(end + aheadRows);
	});
	const wantFiles = useStable((end: number) => rows.want(counts.folders + end + aheadRows));
	const onLookFolders = useCallback(
		(start: number, end: number) => {
			rows.look('folders', start, end);
			wantFolders(end);
		},
		[rows, wantFolders],
	);
	const onLookFiles = useCallback(
		(start: number, end: number) => {
			rows.look('files', start, end);
			wantFiles(end);
		},
		[rows, wantFiles],
	);
	const isGrid = place.view === 'grid';
	const keysId = useId();

	const fileSlots = (
		<EntrySlots
			ref={tiles}
			count={counts.files}
			heightPx={isGrid ? size.tile : size.row}
			gapPx={isGrid ? size.gap : 0}
			minWidthPx={isGrid ? size.tileMin : 0}
			cursor={cursor - counts.folders}
			onLook={onLookFiles}
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
			{...picked.pointerProps}
			{...(work && dropHandlers((nodes, path) => void work.move(nodes, path)))}
			onDragStart={(event) => {
				const index = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-entry]') : null;
				const node = index === null ? undefined : picked.nodeAt(Number(index.dataset.entry));
				if (node && canWrite) beginDrag(event, chosen.has(node.id) ? [...chosen.values()] : [node]);
			}}
		>
			<p id={keysId} className={classes.hidden}>
				{canWrite ? m.files_keys_write() : m.files_keys()}
			</p>
			{counts.folders > 0 && (
				<section>
					<FoldersHead counts={counts} totals={totals} />
					<EntrySlots
						ref={cards}
						count={counts.folders}
						heightPx={size.card}
						gapPx={size.gap}
						minWidthPx={size.cardMin}
						cursor={cursor}
						onLook={onLookFolders}
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
					<FilesHead counts={counts} totals={totals} />
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
							<FileHeads
								place={place}
								onSort={place.q.trim() === '' ? (sort) => onChange(sortedBy(place, sort)) : undefined}
								selected={shareOf(chosen.size, counts)}
								onSelectAll={(isAll) => (isAll ? void picked.all() : picked.clear())}
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
				isBusy={work?.isBusy === true}
				isLoadingAll={picked.isLoadingAll}
				download={<ArchiveOfSelection ids={[...chosen.keys()]} />}
				onClear={picked.clear}
			/>
			{work !== undefined && (
				<EntryDialogs
					question={question}
					start={{ owner, path: place.path }}
					work={work}
					onGone={(ids) => picked.set(without(picked.selection, ids))}
					onClose={() => setQuestion(null)}
				/>
			)}
		</div>
	);
}

function shareOf(selected: number, { folders, files }: EntryCounts): 'all' | 'some' | 'none' {
	if (selected === 0) return 'none';
	return selected >= folders + files ? 'all' : 'some';
}
