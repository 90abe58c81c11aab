import { Stack } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { Node } from '#contract/files/files.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { BulkBar } from '../actions/bulk-bar.tsx';
import { type Folder, useFolder } from '../api.ts';
import { defaultListQuery, folderPathOf } from '../file-list-query.ts';
import { ListingStates } from '../list/folder-listing.tsx';
import { countNodes, type ListingRows } from '../list-state/listing-rows.ts';
import { useNodeSelection } from '../list-state/use-node-selection.ts';
import { type Crumb, FileBreadcrumb, folderCrumbs, spaceName } from '../manager/file-breadcrumb.tsx';
import { NodeTable } from './node-table.tsx';

interface StorageBrowserProps {
	/** `path`: realPaths of the folders down to the shown folder. `q`: search text. */
	owner: string;
	path: string;
	q: string;
	leadingCrumbs: readonly Crumb[];
	/** Returns the search parameters with which the screen shows the folder at `path`. */
	searchParamsOf: (path: string) => Record<string, string>;
	onSearch: (q: string) => void;
	labels: { search: string; aside: string };
	aside: (node: Node) => ReactNode;
	/** `done` clears the selection. Undefined if nothing can be shared. */
	onShare: ((nodes: Node[], done: () => void) => void) | undefined;
	isBusy: boolean;
}

/** Browses one space. Only `aside` and `onShare` provide actions. */
export function StorageBrowser(props: StorageBrowserProps) {
	const { owner, path, q, leadingCrumbs, searchParamsOf, onSearch, labels } = props;
	const folder = useFolder(owner, { ...defaultListQuery, path, q });
	const linkTo = (to: string) => ({ to: '.', search: searchParamsOf(to) });
	const rootCrumb = { key: '', name: spaceName(owner, folder.first?.space.email), ...linkTo('') };
	return (
		<Stack gap={12} miw={0}>
			<FileBreadcrumb crumbs={[...leadingCrumbs, rootCrumb, ...folderCrumbs(path, folder.first?.breadcrumb, linkTo)]} />
			<SearchField label={labels.search} value={q} onChange={onSearch} />
			<ListingStates folder={folder} onClear={q.trim() === '' ? undefined : () => onSearch('')}>
				{(first, rows) => (
					<Rows {...props} key={`${owner}\n${path}`} rows={rows} first={first} isStale={folder.isStale} />
				)}
			</ListingStates>
		</Stack>
	);
}

interface RowsProps extends StorageBrowserProps {
	rows: ListingRows;
	first: NonNullable<Folder['first']>;
	isStale: boolean;
}

function Rows({ owner, q, rows, first, isStale, searchParamsOf, labels, aside, onShare, isBusy }: RowsProps) {
	useSyncExternalStore(rows.subscribe, rows.version);
	const { folders, files } = countNodes(rows, q.trim() === '' ? first.totals : undefined);
	const nodeSelection = useNodeSelection({ rows, folders, listKey: q });
	return (
		<Stack gap={20} miw={0} opacity={isStale ? 0.6 : undefined} aria-busy={isStale}>
			<NodeTable
				label={spaceName(owner, first.space.email)}
				asideLabel={labels.aside}
				count={folders + files}
				nodeAt={nodeSelection.nodeAt}
				onVisibleRange={(start, end) => {
					rows.setVisibleRange('folders', start, end);
					rows.setVisibleRange('files', start - folders, end - folders);
				}}
				searchParamsOf={(folder) => searchParamsOf(folderPathOf(folder))}
				aside={aside}
				selection={onShare && nodeSelection}
			/>
			<BulkBar
				chosen={nodeSelection.selection.chosen}
				actions={{ share: onShare && ((nodes) => onShare(nodes, nodeSelection.clear)) }}
				isBusy={isBusy}
				isLoadingAll={nodeSelection.isLoadingAll}
				onClear={nodeSelection.clear}
			/>
		</Stack>
	);
}
