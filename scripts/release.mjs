/**
 * `node scripts/release.mjs DIR`: copies what a server needs to run, and nothing else, into a new folder: the build,
 * the packages that are not bundled, and the licence. There `npm start` and `npm run cli -- COMMAND` work as in the
 * checkout, with nothing to be installed or built.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from './build/dist.mjs';
import { nativePackages } from './build/native-packages.mjs';
import { prepare } from './setup/prepare.mjs';
import { fail, root } from './setup/processes.mjs';

const node = await prepare(import.meta.url);
const [given] = process.argv.slice(2);
if (given === undefined) fail('node scripts/release.mjs needs the DIR to lay the release into.');
const target = resolve(process.env.INIT_CWD ?? '.', given);
if (existsSync(target) && (await readdir(target)).length > 0) fail(`${target} is not empty.`);
await build(node);

await mkdir(target, { recursive: true });
for (const name of ['LICENSE', 'README.md', 'docs'])
	await cp(join(root, name), join(target, name), { recursive: true });
const { devDependencies: _, ...description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const scripts = { start: 'node dist/server/main.js', cli: 'node dist/server/cli.js' };
await writeFile(join(target, 'package.json'), `${JSON.stringify({ ...description, scripts }, null, '\t')}\n`);
await cp(join(root, 'dist'), join(target, 'dist'), { recursive: true });
const packages = await findPackages();
for (const path of packages)
	await cp(join(root, path), join(target, path), { recursive: true, filter: (file) => !file.endsWith('.map') });
console.log(`${target}: the built product and ${packages.length} packages.`);

/** Finds the folders of the packages that are not bundled and of all their dependencies, where npm installed them. */
async function findPackages() {
	const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
	const found = new Set();
	const take = (name, from) => {
		const path = nearest(packages, name, from);
		// npm did not install it: an optional package, or one for another platform.
		if (path === undefined || found.has(path) || !existsSync(join(root, path))) return;
		found.add(path);
		const { dependencies = {}, optionalDependencies = {} } = packages[path];
		for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) take(other, path);
	};
	for (const name of nativePackages) take(name, '');
	return [...found].sort();
}

/** Resolves a package as Node does: in `node_modules` of the importing package, then of each parent folder. */
function nearest(packages, name, from) {
	for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules') - 1))) {
		const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
		if (path in packages) return path;
		if (at === '') return undefined;
	}
}
