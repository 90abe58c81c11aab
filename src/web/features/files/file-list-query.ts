import * as z from 'zod';
import { fileFilters } from '#contract/files/file-types.ts';
import { sortKeys } from '#contract/files/files.ts';

const orders = ['asc', 'desc'] as const;
const views = ['list', 'grid'] as const;
export type SortKey = (typeof sortKeys)[number];
export type Order = (typeof orders)[number];
export type FileView = (typeof views)[number];

const searchParams = z.object({
	/** Chain of realPaths, '' at the root. */
	path: z.string().catch(''),
	/** Search text. A search covers the whole space. */
	q: z.string().catch(''),
	type: z.enum(fileFilters).catch('all'),
	sort: z.enum(sortKeys).catch('name'),
	order: z.enum(orders).catch('asc'),
	view: z.enum(views).optional().catch(undefined),
});

/** The current folder of a space, the search and the sort order; part of the URL. */
export interface FileListQuery extends z.infer<typeof searchParams> {
	view: FileView;
}

/** Reads a list query from search parameters. Invalid values become defaults; `view` is the default view. */
export function parseListQuery(search: Record<string, unknown>, view: FileView = 'list'): FileListQuery {
	const parsed = searchParams.parse(search);
	return { ...parsed, view: parsed.view ?? view };
}

/** The list query of a space when it is first opened. */
export const defaultListQuery = parseListQuery({});

/** Returns the search parameters of a list query; default values are omitted. */
export function listQuerySearchParams(listQuery: FileListQuery): Record<string, string> {
	const keys = Object.keys(defaultListQuery) as Array<keyof FileListQuery>;
	return Object.fromEntries(
		keys.flatMap((key) => (listQuery[key] === defaultListQuery[key] ? [] : [[key, listQuery[key]]])),
	);
}

/** Returns the list query for another folder of the same space: keeps view and order, removes search and filter. */
export function listQueryInFolder(listQuery: FileListQuery, path: string): FileListQuery {
	return { ...listQuery, path, q: '', type: 'all' };
}

/** Returns the links of the nodes of a space: into its folders, and to the folder of a search result. */
export function nodeLinksOf(
	listQuery: FileListQuery,
	searchParamsOf: (target: FileListQuery) => Record<string, string>,
) {
	return {
		toFolder: (folder: { path: string; realPath: string | null }) =>
			searchParamsOf(listQueryInFolder(listQuery, folderPathOf(folder))),
		toParent: ({ path }: { path: string }) => searchParamsOf(listQueryInFolder(listQuery, path)),
	};
}

/** Sorts by `sort`; choosing the current key again reverses the order. Date and size start in descending order. */
export function toggleSort(listQuery: FileListQuery, sort: SortKey): Pick<FileListQuery, 'sort' | 'order'> {
	if (listQuery.sort === sort) return { sort, order: listQuery.order === 'asc' ? 'desc' : 'asc' };
	return { sort, order: sort === 'name' ? 'asc' : 'desc' };
}

export function isFiltered({ q, type }: Pick<FileListQuery, 'q' | 'type'>): boolean {
	return q.trim() !== '' || type !== 'all';
}

/** Returns the path of the children of a folder at `path`. */
export function folderPathOf({ path, realPath }: { path: string; realPath: string | null }): string {
	return [path, realPath ?? ''].filter((part) => part !== '').join('/');
}

/** Returns the paths of all folders from the top down to and including `path`. */
export function ancestorPathsOf(path: string): string[] {
	const parts = path.split('/').filter((part) => part !== '');
	return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
