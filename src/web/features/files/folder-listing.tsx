import type { ReactNode } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/faces.tsx';
import { Entries } from './entries.tsx';
import { type FilePlace, isNarrowed } from './file-place.ts';
import { ListingPreview } from './listing-preview.tsx';
import { ListingSkeleton } from './listing-skeleton.tsx';
import type { EntryLinks } from './node-place.tsx';
import type { Listing } from './use-listing.ts';
import type { NodeWork } from './use-node-work.ts';

interface FolderListingProps {
	/** Whose space. */
	owner: string;
	folder: Listing;
	place: FilePlace;
	/** The ways to other places of this space. */
	links: EntryLinks;
	/** Shows the same folder otherwise: another order. */
	onChange: (change: Partial<FilePlace>) => void;
	/** Moves, copies and deletes; only where the server lets write. */
	work?: NodeWork | undefined;
	/** Shares entries; keeps being the same function. */
	onShare?: ((nodes: Node[]) => void) | undefined;
	/** Stands beside the names of entries; keeps being the same function. */
	mark?: ((node: Node) => ReactNode) | undefined;
	/** What an empty folder offers. */
	emptyAction?: ReactNode;
	/** What is said of a list that is not there, and of one without entries. */
	words?: { failed: string; empty: string };
}

/** A folder's entries in every state: loading, denied, failed, empty, no match, and the list itself. */
export function FolderListing(props: FolderListingProps) {
	const { first, rows } = props.folder;
	return (
		<>
			<ListedFolder {...props} />
			<ListingPreview
				rows={rows}
				spaceId={first?.space?.id}
				tellsGone={props.owner !== 'guest' || props.work !== undefined}
			/>
		</>
	);
}

function ListedFolder(props: FolderListingProps) {
	const { folder, place, links, onChange, emptyAction } = props;
	const words = props.words ?? { failed: m.files_load_failed(), empty: m.files_empty() };
	const { first, rows, failure } = folder;
	if (failure !== undefined && first === undefined) {
		if (failure.status === 404) return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		if (failure.status === 403) return <DeniedState title={failure.message} />;
		return (
			<FailedState text={words.failed} detail={failure.message} onRetry={folder.retry} isRetrying={folder.isLoading} />
		);
	}
	if (first === undefined || rows === undefined) return <ListingSkeleton />;
	if (folder.isEmpty) {
		return isNarrowed(place) ? (
			<EmptyState
				text={m.files_no_match()}
				action={<Button onClick={() => onChange({ q: '', type: 'all' })}>{m.files_clear_filter()}</Button>}
			/>
		) : (
			<EmptyState text={words.empty} action={emptyAction} />
		);
	}
	return (
		<Entries
			key={place.path}
			owner={props.owner}
			folder={folder}
			first={first}
			rows={rows}
			place={place}
			links={links}
			onChange={onChange}
			failedText={words.failed}
			work={first.can.write ? props.work : undefined}
			onShare={props.onShare}
			mark={props.mark}
		/>
	);
}
