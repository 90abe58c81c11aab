import { type FileFilter, fileFilters } from '#contract/files/file-types.ts';
import { sortKeys } from '#contract/files/files.ts';

export type SortKey = (typeof sortKeys)[number];
export type Order = 'asc' | 'desc';
const views = ['list', 'grid'] as const;
export type FileView = (typeof views)[number];

/** Where one is in a space, what one looks for there and how; stands in the URL. */
export interface FileListQuery {
	/** Chain of realPaths, '' at the root. */
	path: string;
	/** Looks through the whole space. */
	q: string;
	type: FileFilter;
	sort: SortKey;
	order: Order;
	view: FileView;
}

/** The top of a space as it is seen first. */
export const defaultListQuery: FileListQuery = {
	path: '',
	q: '',
	type: 'all',
	sort: 'name',
	order: 'asc',
	view: 'list',
};

/**
 * Reads a place from search parameters, however they were typed; what makes no sense is left out.
 * @param view how it is looked at where the address does not say it
 */
export function parseListQuery(search: Record<string, unknown>, view: FileView = defaultListQuery.view): FileListQuery {
	return {
		path: stringOr(search.path),
		q: stringOr(search.q),
		type: fileFilters.find((each) => each === search.type) ?? 'all',
		sort: sortKeys.find((each) => each === search.sort) ?? 'name',
		order: search.order === 'desc' ? 'desc' : 'asc',
		view: views.find((each) => each === search.view) ?? view,
	};
}

/** The search parameters of a place; what is at its default does not appear. */
export function listQuerySearchParams(listQuery: FileListQuery): Record<string, string> {
	const keys = Object.keys(defaultListQuery) as Array<keyof FileListQuery>;
	return Object.fromEntries(
		keys.flatMap((key) => (listQuery[key] === defaultListQuery[key] ? [] : [[key, listQuery[key]]])),
	);
}

/** Another folder of the same space, seen in the same way; search and filter stay behind. */
export function listQueryInFolder(listQuery: FileListQuery, path: string): FileListQuery {
	return { ...listQuery, path, q: '', type: 'all' };
}

/** The ways on from the entries of a space: into its folders, and to where a found one stands. */
export function nodeLinksOf(
	listQuery: FileListQuery,
	searchParamsOf: (place: FileListQuery) => Record<string, string>,
) {
	return {
		toFolder: (folder: { path: string; realPath: string | null }) =>
			searchParamsOf(listQueryInFolder(listQuery, folderPathOf(folder))),
		toParent: ({ path }: { path: string }) => searchParamsOf(listQueryInFolder(listQuery, path)),
	};
}

/** The same place by another order; a press on the order that stands turns it round. The newest and the largest come first. */
export function toggleSort(listQuery: FileListQuery, sort: SortKey): Pick<FileListQuery, 'sort' | 'order'> {
	if (listQuery.sort === sort) return { sort, order: listQuery.order === 'asc' ? 'desc' : 'asc' };
	return { sort, order: sort === 'name' ? 'asc' : 'desc' };
}

/** Whether something narrows the list. */
export function isFiltered({ q, type }: Pick<FileListQuery, 'q' | 'type'>): boolean {
	return q.trim() !== '' || type !== 'all';
}

/** The path of a folder that stands at `path`. */
export function folderPathOf({ path, realPath }: { path: string; realPath: string | null }): string {
	return [path, realPath ?? ''].filter((part) => part !== '').join('/');
}

/** The paths of all folders on the way to `path`, itself included, from the top. */
export function ancestorPathsOf(path: string): string[] {
	const parts = path.split('/').filter((part) => part !== '');
	return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function stringOr(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
