import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/faces.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { type FilePlace, isNarrowed, pathInto } from './file-place.ts';
import { downloadUrl, mainActionOf, previewFilesOf } from './file-preview.ts';
import { FileRows, type FileRowsHandle } from './file-rows.tsx';
import type { Folder } from './files.api.ts';
import { FolderCard } from './folder-card.tsx';
import classes from './folder-listing.module.css';
import { FolderNameDialog } from './folder-name-dialog.tsx';
import { ListingSkeleton } from './listing-skeleton.tsx';
import type { NodeActions } from './node-actions.ts';
import { PreviewOverlay } from './preview-overlay.tsx';
import { useListingKeys } from './use-listing-keys.ts';

interface FolderListingProps {
	folder: Folder;
	place: FilePlace;
	/** The search parameters that lead to another place of this space. */
	searchFor: (place: FilePlace) => Record<string, string>;
	/** Takes search and filter away. */
	onShowAll: () => void;
	/** What an empty folder offers. */
	emptyAction?: ReactNode;
}

/** A folder's entries in every state: loading, denied, failed, empty, no match, and the list itself. */
export function FolderListing({ folder, place, searchFor, onShowAll, emptyAction }: FolderListingProps) {
	if (folder.failure !== undefined && folder.first === undefined) {
		if (folder.failure.status === 404)
			return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		if (folder.failure.status === 403) return <DeniedState title={folder.failure.message} />;
		return (
			<FailedState
				text={m.files_load_failed()}
				detail={folder.failure.message}
				onRetry={folder.retry}
				isRetrying={folder.isLoading}
			/>
		);
	}
	if (folder.first === undefined) return <ListingSkeleton />;
	if (folder.folders.length + folder.files.length === 0) {
		return isNarrowed(place) ? (
			<EmptyState text={m.files_no_match()} action={<Button onClick={onShowAll}>{m.files_clear_filter()}</Button>} />
		) : (
			<EmptyState text={m.files_empty()} action={emptyAction} />
		);
	}
	return <Entries folder={folder} place={place} searchFor={searchFor} canWrite={folder.first.can.write} />;
}

interface EntriesProps extends Pick<FolderListingProps, 'folder' | 'place' | 'searchFor'> {
	canWrite: boolean;
}

function Entries({ folder, place, searchFor, canWrite }: EntriesProps) {
	const { folders, files, first, hasMore, loadMore } = folder;
	const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
	const cards = useRef<HTMLUListElement>(null);
	const rows = useRef<FileRowsHandle>(null);
	const [shownId, setShownId] = useState<string | null>(null);
	const [renamed, setRenamed] = useState<Node | null>(null);
	const [removed, setRemoved] = useState<Node | null>(null);
	const actions: NodeActions = {
		canWrite,
		open: (node) => {
			if (mainActionOf(node) === 'preview') setShownId(node.id);
			else if (node.url !== null) window.location.assign(downloadUrl(node.url));
		},
		rename: setRenamed,
		remove: setRemoved,
	};
	const { cursor, containerProps } = useListingKeys({ folders, files, cards, rows, actions });
	const narrowed = isNarrowed(place);
	const keysId = useId();

	return (
		<div className={classes.listing} aria-busy={folder.isStale} {...containerProps}>
			<p id={keysId} className={classes.hidden}>
				{canWrite ? m.files_keys_write() : m.files_keys()}
			</p>
			{folders.length > 0 && (
				<section>
					<Head
						label={m.files_folders()}
						note={formatCount(narrowed ? folders.length : (first?.totals.folders ?? folders.length))}
					/>
					<ul ref={cards} className={classes.cards}>
						{folders.map((each, index) => (
							<FolderCard
								key={each.id}
								folder={each}
								index={index}
								isCursor={cursor === index}
								search={searchFor({ path: pathInto(each), q: '', type: 'all' })}
								actions={actions}
							/>
						))}
					</ul>
				</section>
			)}
			{files.length > 0 && (
				<section>
					<Head label={m.files_files()} note={filesNote(folder, narrowed)} />
					<FileRows
						ref={rows}
						keysId={keysId}
						files={files}
						before={folders.length}
						cursor={cursor}
						isPhone={isPhone}
						hasMore={hasMore}
						onNeedMore={loadMore}
						actions={actions}
					/>
				</section>
			)}
			{hasMore && (
				<p className={classes.more} role="status">
					{folder.isLoadingMore ? (
						m.files_loading_more()
					) : (
						<Button variant="quiet" onClick={loadMore}>
							{m.files_loading_more()}
						</Button>
					)}
				</p>
			)}
			<PreviewOverlay
				files={previewFilesOf(files)}
				shownId={shownId}
				onShow={setShownId}
				onClose={() => setShownId(null)}
			/>
			<FolderNameDialog purpose={renamed} onClose={() => setRenamed(null)} />
			<DeleteDialog node={removed} onClose={() => setRemoved(null)} />
		</div>
	);
}

function Head({ label, note }: { label: string; note: string }) {
	return (
		<h2 className={classes.head}>
			{label} <span className={classes.note}>{note}</span>
		</h2>
	);
}

function filesNote({ files, first }: Folder, narrowed: boolean): string {
	if (narrowed || first === undefined) return formatCount(files.length);
	return m.files_count_and_size({ count: formatCount(first.totals.files), size: formatSize(first.totals.size) });
}
