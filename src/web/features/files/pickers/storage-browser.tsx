import { type ReactNode, useSyncExternalStore } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/states/states.tsx';
import { BulkBar } from '../actions/bulk-bar.tsx';
import { type Folder, useFolder } from '../api.ts';
import { ancestorPathsOf, defaultListQuery, folderPathOf } from '../file-list-query.ts';
import { ListingSkeleton } from '../list/listing-sections.tsx';
import type { ListingRows } from '../list-state/listing-rows.ts';
import { countNodes } from '../list-state/node-counts.ts';
import { useNodeSelection } from '../list-state/use-node-selection.ts';
import { type Crumb, FileBreadcrumb, spaceName } from '../manager/file-breadcrumb.tsx';
import { NodeTable } from './node-table.tsx';
import classes from './storage-browser.module.css';

/** Number of rows loaded beyond the last visible one. */
const prefetchRows = 100;

interface StorageBrowserProps {
	/** Owner of the space, folder path (chain of realPaths), and search text. */
	owner: string;
	path: string;
	q: string;
	/** Breadcrumb steps before the space itself. */
	leadingCrumbs: readonly Crumb[];
	/** The screen's search parameters for another folder of this space. */
	searchParamsOf: (path: string) => Record<string, string>;
	onSearch: (q: string) => void;
	/** Labels of the search box and of the column at the end of the rows. */
	labels: { search: string; aside: string };
	aside: (node: Node) => ReactNode;
	/** Shares the selected nodes; call `done` to clear the selection. */
	onShare: (nodes: Node[], done: () => void) => void;
	isBusy: boolean;
}

/** Browses one space to choose nodes from; the only actions are those that `aside` and `onShare` offer. */
export function StorageBrowser(props: StorageBrowserProps) {
	const { owner, path, q, leadingCrumbs, searchParamsOf, onSearch, labels } = props;
	const folder = useFolder(owner, { ...defaultListQuery, path, q });
	const { first, rows, failure } = folder;
	const crumbs: Crumb[] = [
		...leadingCrumbs,
		{ key: '', name: spaceName(owner, first?.space.email), to: '.', search: searchParamsOf('') },
		...ancestorPathsOf(path).map((each, index) => ({
			key: each,
			name: first?.breadcrumb[index]?.name ?? '…',
			to: '.',
			search: searchParamsOf(each),
		})),
	];
	return (
		<div className={classes.browser}>
			<FileBreadcrumb crumbs={crumbs} />
			<SearchField label={labels.search} value={q} onChange={onSearch} />
			{failure !== undefined && first === undefined ? (
				<Failed failure={failure} folder={folder} />
			) : first === undefined || rows === undefined ? (
				<ListingSkeleton />
			) : folder.isEmpty ? (
				q.trim() === '' ? (
					<EmptyState text={m.files_empty()} />
				) : (
					<EmptyState
						text={m.files_no_match()}
						action={<Button onClick={() => onSearch('')}>{m.files_clear_filter()}</Button>}
					/>
				)
			) : (
				<Rows {...props} key={`${owner}\n${path}`} rows={rows} first={first} isStale={folder.isStale} />
			)}
		</div>
	);
}

function Failed({ failure, folder }: { failure: NonNullable<Folder['failure']>; folder: Folder }) {
	if (failure.status === 404) return <DeniedState title={m.files_denied_title()} text={m.files_denied_text()} />;
	return (
		<FailedState
			text={m.files_load_failed()}
			detail={failure.message}
			onRetry={folder.retry}
			isRetrying={folder.isLoading}
		/>
	);
}

interface RowsProps extends StorageBrowserProps {
	rows: ListingRows;
	first: NonNullable<Folder['first']>;
	isStale: boolean;
}

function Rows({ owner, q, rows, first, isStale, searchParamsOf, labels, aside, onShare, isBusy }: RowsProps) {
	useSyncExternalStore(rows.subscribe, rows.version);
	const counts = countNodes(rows, q.trim() === '' ? first.totals : undefined);
	const nodeSelection = useNodeSelection({ rows, folders: counts.folders, listKey: q });
	const { chosen } = nodeSelection.selection;
	return (
		<div className={classes.rows} aria-busy={isStale}>
			<NodeTable
				label={spaceName(owner, first.space.email)}
				asideLabel={labels.aside}
				count={counts.folders + counts.files}
				nodeAt={nodeSelection.nodeAt}
				onVisibleRange={(end) => rows.loadUntil(end + prefetchRows)}
				searchParamsOf={(folder) => searchParamsOf(folderPathOf(folder))}
				aside={aside}
				selection={{
					chosen,
					toggle: nodeSelection.toggle,
					to: nodeSelection.to,
					all: () => void nodeSelection.all(),
					clear: nodeSelection.clear,
				}}
			/>
			{rows.failure !== undefined && (
				<FailedState
					text={m.files_load_failed()}
					detail={describeFailure(rows.failure).message}
					onRetry={() => rows.retry()}
				/>
			)}
			<BulkBar
				chosen={chosen}
				actions={{ canWrite: false, share: (nodes) => onShare(nodes, nodeSelection.clear) }}
				isBusy={isBusy}
				isLoadingAll={nodeSelection.isLoadingAll}
				onClear={nodeSelection.clear}
			/>
		</div>
	);
}
