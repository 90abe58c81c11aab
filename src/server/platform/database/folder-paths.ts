import { type SqlBool, sql } from 'kysely';

/** Returns the `path` of a folder's children: the `real_path` of each folder from the root down, joined by '/'. */
export function pathBelow(folder: { path: string; real_path: string | null }): string {
	return folder.path === '' ? String(folder.real_path) : `${folder.path}/${folder.real_path}`;
}

/** Returns the `real_path` of each folder in a path, from the root down. */
export function realPathsOf(path: string): string[] {
	return path === '' ? [] : path.split('/');
}

/**
 * Returns the condition for all rows below a folder: `path` itself, or paths that start with `path` and '/'. These
 * paths are a range, because '0' is the character after '/', and an index can find a range.
 * @param path the `path` of the folder's children
 */
export function isBelow(path: string, column = 'path') {
	const ref = sql.ref(column);
	return sql<SqlBool>`(${ref} = ${path} or (${ref} >= ${`${path}/`} and ${ref} < ${`${path}0`}))`;
}
