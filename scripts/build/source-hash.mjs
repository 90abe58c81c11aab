import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { root } from '../setup/processes.mjs';

/**
 * Hashes the names and contents of files and folders (`paths`, relative to the root), so that steps that are up to date
 * can be skipped. A path that does not exist is ignored.
 * @param {(path: string) => boolean} [isWanted] is called with the path relative to the root, with forward slashes
 */
export async function hashSources(paths, isWanted = () => true) {
	const files = (await Promise.all(paths.map((path) => listFiles(join(root, path))))).flat();
	const named = files.map((file) => [relative(root, file).split(sep).join('/'), file]);
	const hashed = named.filter(([name]) => isWanted(name)).sort(([a], [b]) => (a < b ? -1 : 1));
	const hash = createHash('sha256');
	const contents = await Promise.all(hashed.map(([, file]) => readFile(file)));
	hashed.forEach(([name], index) => {
		hash.update(`${name}\0${contents[index].length}\0`).update(contents[index]);
	});
	return hash.digest('hex');
}

/** Lists a file, or all files below a folder; none for a path that does not exist. */
export async function listFiles(path) {
	const stats = await stat(path).catch(() => null);
	if (stats === null) return [];
	if (stats.isFile()) return [path];
	const entries = await readdir(path, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
