import { fileFilters } from '#contract/files/file-types.ts';
import { sortKeys } from '#contract/files/files.ts';
import { oneOf, orElse, stateOf, text } from '#web/platform/browser/readers.ts';

const orders = ['asc', 'desc'] as const;
const views = ['list', 'grid'] as const;
export type SortKey = (typeof sortKeys)[number];
export type Order = (typeof orders)[number];
export type FileView = (typeof views)[number];

const readSearch = stateOf({
	/** The realPaths of the folders from the top to the shown folder, separated by `/`; '' at the top. */
	path: orElse(text(), ''),
	/** Search text. The whole space is searched. */
	q: orElse(text(), ''),
	type: orElse(oneOf(fileFilters), 'all'),
	sort: orElse(oneOf(sortKeys), 'name'),
	order: orElse(oneOf(orders), 'asc'),
	view: oneOf(views),
});

export interface FileListQuery extends ReturnType<typeof readSearch> {
	view: FileView;
}

/** Invalid values become defaults. `view` is the default view. */
export function parseListQuery(search: Record<string, unknown>, view: FileView = 'list'): FileListQuery {
	const parsed = readSearch(search);
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
