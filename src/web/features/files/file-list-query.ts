import * as z from 'zod/mini';
import { fileFilters } from '#contract/files/file-types.ts';
import { sortKeys } from '#contract/files/files.ts';

const orders = ['asc', 'desc'] as const;
const views = ['list', 'grid'] as const;
export type SortKey = (typeof sortKeys)[number];
export type Order = (typeof orders)[number];
export type FileView = (typeof views)[number];

const searchParams = z.object({
	/** The realPaths of the folders from the top to the shown folder, separated by `/`; '' at the top. */
	path: z.catch(z.string(), ''),
	/** Search text. The whole space is searched. */
	q: z.catch(z.string(), ''),
	type: z.catch(z.enum(fileFilters), 'all'),
	sort: z.catch(z.enum(sortKeys), 'name'),
	order: z.catch(z.enum(orders), 'asc'),
	view: z.catch(z.optional(z.enum(views)), undefined),
});

export interface FileListQuery extends z.infer<typeof searchParams> {
	view: FileView;
}

/** Invalid values become defaults. `view` is the default view. */
export function parseListQuery(search: Record<string, unknown>, view: FileView = 'list'): FileListQuery {
	const parsed = searchParams.parse(search);
	return { ...parsed, view: parsed.view ?? view };
}

export const defaultListQuery = parseListQuery({});

/** Omits default values. */
export function listQuerySearchParams(listQuery: FileListQuery): Record<string, string> {
	const keys = Object.keys(defaultListQuery) as Array<keyof FileListQuery>;
	return Object.fromEntries(
		keys.flatMap((key) => (listQuery[key] === defaultListQuery[key] ? [] : [[key, listQuery[key]]])),
	);
}

/** Returns the list query for another folder of the same space, without search and filter. */
export function listQueryInFolder(listQuery: FileListQuery, path: string): FileListQuery {
	return { ...listQuery, path, q: '', type: 'all' };
}

/** Returns functions for the search parameters of links: to a folder, and to the parent folder of a search result. */
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

/** A second click on the same column reverses the order. Date and size start in descending order. */
export function toggleSort(listQuery: FileListQuery, sort: SortKey): Pick<FileListQuery, 'sort' | 'order'> {
	if (listQuery.sort === sort) return { sort, order: listQuery.order === 'asc' ? 'desc' : 'asc' };
	return { sort, order: sort === 'name' ? 'asc' : 'desc' };
}

export function isFiltered({ q, type }: Pick<FileListQuery, 'q' | 'type'>): boolean {
	return q.trim() !== '' || type !== 'all';
}

/** Returns the path that the folder's children have. */
export function folderPathOf({ path, realPath }: { path: string; realPath: string | null }): string {
	return [path, realPath ?? ''].filter((part) => part !== '').join('/');
}

/** Returns the paths of all folders from the outermost folder to `path`, inclusive. */
export function ancestorPathsOf(path: string): string[] {
	const parts = path.split('/').filter((part) => part !== '');
	return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
