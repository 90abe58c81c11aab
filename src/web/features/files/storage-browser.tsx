import { type ReactNode, useSyncExternalStore } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { DeniedState, EmptyState, FailedState } from '#web/ui/faces.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { countEntries } from './entry-counts.ts';
import { type Crumb, FileBreadcrumb } from './file-breadcrumb.tsx';
import { defaultPlace, pathInto, pathsTo } from './file-place.ts';
import { type Folder, useFolder } from './files.api.ts';
import type { ListingRows } from './listing-rows.ts';
import { ListingSkeleton } from './listing-skeleton.tsx';
import { NodeRows } from './node-rows.tsx';
import { spaceName } from './space-name.ts';
import classes from './storage-browser.module.css';
import { useEntrySelection } from './use-entry-selection.ts';

/** Rows asked for beyond the last one in the window. */
const aheadRows = 100;

interface StorageBrowserProps {
	/** Whose space; a folder's chain of realPaths; what is looked for. */
	owner: string;
	path: string;
	q: string;
	/** Steps before the space itself. */
	before: readonly Crumb[];
	/** The screen's search parameters with another folder of this space. */
	searchFor: (path: string) => Record<string, string>;
	onSearch: (q: string) => void;
	/** Names the search box and what stands at the end of the rows. */
	words: { search: string; aside: string };
	aside: (node: Node) => ReactNode;
	/** Something is done with all that are selected; hears when to forget the selection. */
	onShare: (nodes: Node[], done: () => void) => void;
	isBusy: boolean;
}

/** One storage to look through and choose from: nothing is changed here but what the rows offer at their end. */
export function StorageBrowser(props: StorageBrowserProps) {
	const { owner, path, q, before, searchFor, onSearch, words } = props;
	const folder = useFolder(owner, { ...defaultPlace, path, q });
	const { first, rows, failure } = folder;
	const crumbs: Crumb[] = [
		...before,
		{ key: '', name: spaceName(owner, first?.space.email), to: '.', search: searchFor('') },
		...pathsTo(path).map((each, index) => ({
			key: each,
			name: first?.breadcrumb[index]?.name ?? '…',
			to: '.',
			search: searchFor(each),
		})),
	];
	return (
		<div className={classes.browser}>
			<FileBreadcrumb crumbs={crumbs} />
			<SearchField label={words.search} value={q} onChange={onSearch} />
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

function Rows({ owner, q, rows, first, isStale, searchFor, words, aside, onShare, isBusy }: RowsProps) {
	useSyncExternalStore(rows.subscribe, rows.version);
	const counts = countEntries(rows, q.trim() === '' ? first.totals : undefined);
	const picked = useEntrySelection({ rows, folders: counts.folders, listKey: q });
	const { chosen } = picked.selection;
	return (
		<div className={classes.rows} aria-busy={isStale}>
			<NodeRows
				label={spaceName(owner, first.space.email)}
				asideLabel={words.aside}
				count={counts.folders + counts.files}
				nodeAt={picked.nodeAt}
				onLook={(end) => rows.want(end + aheadRows)}
				linkTo={(folder) => searchFor(pathInto(folder))}
				aside={aside}
				selection={{
					chosen,
					toggle: picked.toggle,
					to: picked.to,
					all: () => void picked.all(),
					clear: picked.clear,
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
				actions={{ canWrite: false, share: (nodes) => onShare(nodes, picked.clear) }}
				isBusy={isBusy}
				isLoadingAll={picked.isLoadingAll}
				onClear={picked.clear}
			/>
		</div>
	);
}
