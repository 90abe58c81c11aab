import type { ReactNode } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/faces.tsx';
import { Entries } from './entries.tsx';
import { type FilePlace, isNarrowed } from './file-place.ts';
import type { Folder } from './files.api.ts';
import { ListingPreview } from './listing-preview.tsx';
import { ListingSkeleton } from './listing-skeleton.tsx';
import type { NodeWork } from './use-node-work.ts';

interface FolderListingProps {
	/** Whose space. */
	owner: string;
	folder: Folder;
	place: FilePlace;
	/** The search parameters that lead to another place of this space. */
	searchFor: (place: FilePlace) => Record<string, string>;
	/** Shows the same folder otherwise: another order. */
	onChange: (change: Partial<FilePlace>) => void;
	/** Moves, copies and deletes; only where the server lets write. */
	work?: NodeWork | undefined;
	/** Shares entries; keeps being the same function. */
	onShare?: ((nodes: Node[]) => void) | undefined;
	/** What an empty folder offers. */
	emptyAction?: ReactNode;
}

/** A folder's entries in every state: loading, denied, failed, empty, no match, and the list itself. */
export function FolderListing(props: FolderListingProps) {
	const { first, rows } = props.folder;
	return (
		<>
			<Listing {...props} />
			<ListingPreview
				rows={rows}
				spaceId={first?.space.id}
				tellsGone={props.owner !== 'guest' || props.work !== undefined}
			/>
		</>
	);
}

function Listing(props: FolderListingProps) {
	const { folder, place, searchFor, onChange, emptyAction } = props;
	const { first, rows, failure } = folder;
	if (failure !== undefined && first === undefined) {
		if (failure.status === 404) return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		if (failure.status === 403) return <DeniedState title={failure.message} />;
		return (
			<FailedState
				text={m.files_load_failed()}
				detail={failure.message}
				onRetry={folder.retry}
				isRetrying={folder.isLoading}
			/>
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
			<EmptyState text={m.files_empty()} action={emptyAction} />
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
			searchFor={searchFor}
			onChange={onChange}
			work={first.can.write ? props.work : undefined}
			onShare={props.onShare}
		/>
	);
}
