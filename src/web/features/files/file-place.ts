import { type FileFilter, fileFilters } from '#contract/files/file-types.ts';

/** Where one is in a space and what one looks for there; stands in the URL. */
export interface FilePlace {
	/** Chain of realPaths, '' at the root. */
	path: string;
	q: string;
	type: FileFilter;
}

/** Reads a place from search parameters, however they were typed; what makes no sense is left out. */
export function parseFilePlace(search: Record<string, unknown>): FilePlace {
	return {
		path: textOf(search.path),
		q: textOf(search.q),
		type: fileFilters.find((each) => each === search.type) ?? 'all',
	};
}

/** The search parameters of a place; what is at its default does not appear. */
export function searchOfPlace({ path, q, type }: FilePlace): Record<string, string> {
	return { ...(path && { path }), ...(q && { q }), ...(type !== 'all' && { type }) };
}

/** Whether something narrows the list. */
export function isNarrowed({ q, type }: Pick<FilePlace, 'q' | 'type'>): boolean {
	return q.trim() !== '' || type !== 'all';
}

/** The path of a folder that stands at `path`. */
export function pathInto({ path, realPath }: { path: string; realPath: string | null }): string {
	return [path, realPath ?? ''].filter((part) => part !== '').join('/');
}

/** The paths of all folders on the way to `path`, itself included, from the top. */
export function pathsTo(path: string): string[] {
	const parts = path.split('/').filter((part) => part !== '');
	return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The folder above; '' above the first level. */
export function pathAbove(path: string): string {
	return path.split('/').slice(0, -1).join('/');
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
