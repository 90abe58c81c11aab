import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder, readable by its owner only, and its missing parents. Not `mkdir` with `recursive`, which repeats
 * forever where the system reports ENOENT although the parent exists, as in /proc.
 * @throws Error of the file system
 */
export function createFolder(folder: string): void {
	if (isFolder(folder)) return;
	if (dirname(folder) !== folder) createFolder(dirname(folder));
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		// Another process may have created it meanwhile.
		if (!isFolder(folder)) throw error;
	}
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
