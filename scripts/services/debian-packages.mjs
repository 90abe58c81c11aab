import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { withLock } from '../setup/process-lock.mjs';
import { runInTerminal } from '../setup/processes.mjs';

/**
 * Finds a program that the tests need. Installs a missing program with apt if this process is root, but does not start
 * its service.
 * @param {{ name: string, packages: string[], purpose: string }} program `purpose`: begins the error message, such as
 *   'Several processes are tested behind nginx'
 * @returns {Promise<string>} its path
 * @throws Error with the installation command when there is none
 */
export async function requireProgram({ name, packages, purpose }) {
	const find = () => findExecutable(name);
	const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
	const path = find() ?? (await installAsRoot(`No ${name} found`, command, find));
	if (path === undefined) throw new Error(`${purpose}, and no ${name} was found. Install it: ${command}`);
	return path;
}

export function findExecutable(name) {
	const folders = ['/usr/bin', '/usr/sbin', '/usr/local/sbin', ...(process.env.PATH ?? '').split(delimiter)];
	return folders
		.filter(Boolean)
		.map((folder) => join(folder, name))
		.find(isExecutable);
}

/** Runs an installation command if this process is root and has apt. @returns the result of `find` afterwards */
export async function installAsRoot(what, command, find) {
	if (process.getuid?.() !== 0 || !hasApt()) return undefined;
	// One process at a time, because apt refuses to run twice at once.
	return withLock(join(tmpdir(), 'folio-apt'), async () => {
		const path = find();
		if (path) return path;
		console.error(`${what}: ${command}`);
		// RUNLEVEL=1 prevents Debian's maintainer scripts from starting the installed service.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		return (await runInTerminal('sh', ['-c', command], { env })) === 0 ? find() : undefined;
	});
}

export function hasApt() {
	return spawnSync('apt-get', ['--version']).status === 0;
}

export function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
