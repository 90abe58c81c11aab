import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Folders of development machines and addresses of registries. The brackets prevent a match in this file. */
const forbiddenText = '/wor[k]/|/far[m]/|\\.librar[y]|registr[y]\\.[a-z]+\\.';

test('no file contains a path of a development machine or the address of a package registry', async () => {
	// git grep exits with 1 when it finds nothing.
	const { stdout } = await run('git', ['grep', '-nIE', forbiddenText, '--', '.']).catch(
		(error: { stdout: string }) => error,
	);
	expect(stdout.split('\n').filter(Boolean)).toEqual([]);
});

test('every dependency has an exact version', async () => {
	const manifest = JSON.parse(await readFile('package.json', 'utf8'));
	const versions = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'].flatMap((group) =>
		Object.entries<string>(manifest[group] ?? {}),
	);
	expect(versions.length).toBeGreaterThan(30);
	expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/u.test(version))).toEqual([]);
});

test('the lockfile contains integrity hashes and no download addresses', async () => {
	const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
		packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>;
	};
	const installed = Object.entries(packages).filter(([path]) => path !== '');
	expect(installed.length).toBeGreaterThan(100);
	expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
	expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});

test('package.json pins the same Node version for each platform, and the tests run with this version', async () => {
	const { optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
	const runtimes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
	expect(runtimes).toHaveLength(3);
	const versions = new Set(runtimes.map(([, version]) => version));
	expect([...versions]).toEqual([process.version.slice(1)]);
});

test('.ci/run is executable and calls npm test', async () => {
	const { stdout } = await run('git', ['ls-files', '--stage', '.ci/run']);
	expect(stdout).toMatch(/^100755 /u);
	expect((await stat('.ci/run')).mode & 0o111).toBe(0o111);
	expect(await readFile('.ci/run', 'utf8')).toMatch(/^npm test -- --ci$/mu);
});

test('every script file in package.json exists', async () => {
	const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
	const files = Object.values(scripts).flatMap((command) => /^node (\S+)/u.exec(command)?.[1] ?? []);
	expect(files.length).toBeGreaterThan(5);
	const missing = await Promise.all(files.map(async (file) => ((await stat(file).catch(() => null)) ? [] : [file])));
	expect(missing.flat()).toEqual([]);
});
