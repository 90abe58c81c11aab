import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { withLock } from '../setup/process-lock.mjs';
import { show } from '../setup/processes.mjs';

/**
 * Finds a program that the tests need: the system's, or, as root where there is apt, a freshly installed one, whose own
 * service is not started.
 * @param {{ name: string, folders?: () => string[], packages: string[], purpose: string }} wanted `folders`: searched
 *   besides PATH; `purpose`: begins the error message, such as 'Many processes are tried behind nginx'
 * @returns {Promise<string>} its path
 * @throws Error naming the command to run when there is none
 */
export async function requireProgram({ name, folders = () => [], packages, purpose }) {
	const find = () => findExecutable(name, folders());
	const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
	const found = find() ?? (await installAsRoot(`No ${name} found`, command, find));
	if (found === undefined) throw new Error(`${purpose}, and no ${name} was found. Install it: ${command}`);
	return found;
}

/** @returns {string | undefined} the program's path */
export function findExecutable(name, folders = []) {
	const all = [
		...folders,
		'/usr/sbin',
		'/usr/local/sbin',
		...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
	];
	return all.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * Installs something if this process is root and apt is there; first prints what is missing (`what`) and the command.
 * @template T
 * @param {string} what @param {string} command @param {() => T | undefined} find @returns {Promise<T | undefined>} what is found afterwards
 */
export async function installAsRoot(what, command, find) {
	if (process.getuid?.() !== 0 || !hasApt()) return undefined;
	// One process at a time: apt refuses a second one, which may need the same package.
	return withLock(join(tmpdir(), 'folio-apt'), async () => {
		const found = find();
		if (found) return found;
		console.error(`${what}: ${command}`);
		// Debian's maintainer scripts start what they install unless RUNLEVEL prevents it (policy-rc.d).
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		return (await show('sh', ['-c', command], { env })) === 0 ? find() : undefined;
	});
}

/** @returns {boolean} */
export function hasApt() {
	return spawnSync('apt-get', ['--version']).status === 0;
}

/** @returns {boolean} */
export function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
