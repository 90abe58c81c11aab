import type { ReactNode } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/states/states.tsx';
import type { NodeOperations } from '../actions/use-node-operations.ts';
import { type FileListQuery, isFiltered } from '../file-list-query.ts';
import type { Listing } from '../list-state/use-listing.ts';
import { ListingPreview } from '../preview/listing-preview.tsx';
import { ListingSkeleton } from './listing-sections.tsx';
import { NodeList } from './node-list.tsx';
import type { NodeLinks } from './node-location.tsx';

interface FolderListingProps {
	/** Owner of the space. */
	owner: string;
	folder: Listing;
	listQuery: FileListQuery;
	/** Links to other folders of this space. */
	links: NodeLinks;
	/** Changes how the same folder is shown, such as its order. */
	onChange: (change: Partial<FileListQuery>) => void;
	/** Moves, copies and deletes; undefined where the server does not permit writing. */
	operations?: NodeOperations | undefined;
	/** Shares nodes; must be a stable function. */
	onShare?: ((nodes: Node[]) => void) | undefined;
	/** Rendered beside the names of nodes; must be a stable function. */
	renderBadge?: ((node: Node) => ReactNode) | undefined;
	/** Action shown in an empty folder. */
	emptyAction?: ReactNode;
	/** Texts for a list that failed to load and for a list without nodes. */
	labels?: { failed: string; empty: string };
}

/** A folder's nodes in every state: loading, denied, failed, empty, no match, and the list itself. */
export function FolderListing(props: FolderListingProps) {
	const { first, rows } = props.folder;
	return (
		<>
			<ListingBody {...props} />
			<ListingPreview
				rows={rows}
				spaceId={first?.space?.id}
				showsMissingFile={props.owner !== 'guest' || props.operations !== undefined}
			/>
		</>
	);
}

function ListingBody(props: FolderListingProps) {
	const { folder, listQuery, links, onChange, emptyAction } = props;
	const labels = props.labels ?? { failed: m.files_load_failed(), empty: m.files_empty() };
	const { first, rows, failure } = folder;
	if (failure !== undefined && first === undefined) {
		if (failure.status === 404) return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
		if (failure.status === 403) return <DeniedState title={failure.message} />;
		return (
			<FailedState text={labels.failed} detail={failure.message} onRetry={folder.retry} isRetrying={folder.isLoading} />
		);
	}
	if (first === undefined || rows === undefined) return <ListingSkeleton />;
	if (folder.isEmpty) {
		return isFiltered(listQuery) ? (
			<EmptyState
				text={m.files_no_match()}
				action={<Button onClick={() => onChange({ q: '', type: 'all' })}>{m.files_clear_filter()}</Button>}
			/>
		) : (
			<EmptyState text={labels.empty} action={emptyAction} />
		);
	}
	return (
		<NodeList
			key={listQuery.path}
			owner={props.owner}
			folder={folder}
			first={first}
			rows={rows}
			listQuery={listQuery}
			links={links}
			onChange={onChange}
			failedText={labels.failed}
			operations={first.can.write ? props.operations : undefined}
			onShare={props.onShare}
			renderBadge={props.renderBadge}
		/>
	);
}
