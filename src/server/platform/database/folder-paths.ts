import { type SqlBool, sql } from 'kysely';

/** Returns the path of a folder's children: the realPaths of the folders from the root down, separated by '/'. */
export function pathBelow(folder: { path: string; real_path: string | null }): string {
	return folder.path === '' ? String(folder.real_path) : `${folder.path}/${folder.real_path}`;
}

/** Returns the realPaths of the folders in a path, from the root down. */
export function realPathsOf(path: string): string[] {
	return path === '' ? [] : path.split('/');
}

/**
 * Condition for the rows below a folder. Their paths start with the path of its children and '/'. '0' is the character
 * after '/', so a range served by an index finds them.
 * @param path of the folder's children
 */
export function isBelow(path: string, column = 'path') {
	const ref = sql.ref(column);
	return sql<SqlBool>`(${ref} = ${path} or (${ref} >= ${`${path}/`} and ${ref} < ${`${path}0`}))`;
}
