/**
 * `node scripts/release.mjs DIR`: copies what a server needs to run into a new folder: the build, the packages that are
 * not bundled, the documentation and the licence. In that folder `npm start` and `npm run cli -- COMMAND` work as in the
 * repository, without installing or building anything.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from './build/dist.mjs';
import { nativePackages } from './build/native-packages.mjs';
import { prepare } from './setup/prepare.mjs';
import { fail, root } from './setup/processes.mjs';

const node = await prepare(import.meta.url);
const [folder] = process.argv.slice(2);
if (folder === undefined) fail('node scripts/release.mjs needs a DIR for the release.');
const target = resolve(process.env.INIT_CWD ?? '.', folder);
if (existsSync(target) && (await readdir(target)).length > 0) fail(`${target} is not empty.`);
await build(node);

await mkdir(target, { recursive: true });
for (const name of ['LICENSE', 'README.md', 'SECURITY.md', 'docs'])
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
	const folders = new Set();
	const addPackage = async (name, from) => {
		let file;
		try {
			file = findPackageJSON(name, from);
		} catch {
			// npm skips some optional packages, such as those for other platforms.
			return;
		}
		const folder = relative(root, dirname(file));
		if (folders.has(folder)) return;
		folders.add(folder);
		const { dependencies, optionalDependencies } = JSON.parse(await readFile(file, 'utf8'));
		for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
			await addPackage(dependency, file);
	};
	for (const name of nativePackages) await addPackage(name, join(root, 'package.json'));
	return [...folders].sort();
}
