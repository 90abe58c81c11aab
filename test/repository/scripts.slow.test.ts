import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closingLine } from '../../scripts/suites/suites.mjs';

const run = promisify(execFile);
const lock = pathToFileURL(resolve('scripts/setup/process-lock.mjs')).href;
const processes = pathToFileURL(resolve('scripts/setup/processes.mjs')).href;

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'folio-scripts-'));
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

/** Adds one to a number in a file, slowly, under the lock; without the lock, additions would be lost. */
const slowAddition = `
	import { readFile, writeFile } from 'node:fs/promises';
	import { setTimeout as sleep } from 'node:timers/promises';
	import { withLock } from '${lock}';
	await withLock('lock', async () => {
		const count = Number(await readFile('count', 'utf8'));
		await sleep(50);
		await writeFile('count', String(count + 1));
	});
`;

async function addAtOnce(times: number): Promise<string> {
	await writeFile(join(folder, 'count'), '0');
	const add = () => run(process.execPath, ['--input-type=module', '--eval', slowAddition], { cwd: folder });
	await Promise.all(Array.from({ length: times }, add));
	return readFile(join(folder, 'count'), 'utf8');
}

test('withLock runs the work of one process at a time', async () => {
	expect(await addAtOnce(5)).toBe('5');
});

test('one process takes over the lock of a killed process at once', async () => {
	const hold = `import { withLock } from '${lock}'; await withLock('lock', () => { console.log(process.pid); return new Promise((resolve) => setTimeout(resolve, 60_000)); });`;
	// The shell becomes `sleep`, which does not wait for its children, so the killed process keeps its ID.
	const command = '"$0" --input-type=module --eval "$1" & exec sleep 60';
	const parent = spawn('sh', ['-c', command, process.execPath, hold], { cwd: folder });
	try {
		const pid = Number(await readFirstLine(parent));
		process.kill(pid, 'SIGKILL');
		expect(await addAtOnce(5)).toBe('5');
		expect(isRunning(pid)).toBe(true);
	} finally {
		parent.kill('SIGKILL');
	}
});

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** A program that prints its process ID when it runs, and exits with code 7 on SIGTERM. */
const server = "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid);";
const starter = `import { become } from '${processes}'; await become(process.execPath, ['--eval', ${JSON.stringify(server)}]);`;

async function readFirstLine(child: ChildProcess): Promise<string> {
	const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
	return chunk.toString('utf8').trim();
}

test('a started program receives SIGTERM, and its exit code is returned', async () => {
	const child = spawn(process.execPath, ['--input-type=module', '--eval', starter]);
	await readFirstLine(child);
	child.kill('SIGTERM');
	expect(await once(child, 'exit')).toEqual([7, null]);
});

test.each(['npm', "npm's shell"])('a started program ends when %s is killed', async (killed) => {
	// Like some shells, this one does not replace itself by the program that it runs.
	const shell = `sh -c '"$0" --input-type=module --eval "$1"; exit $?' "$0" "$1" & echo $!; wait`;
	const env = { ...process.env, npm_lifecycle_event: 'start' };
	const npm = spawn('sh', ['-c', shell, process.execPath, starter], { env });
	const lines = createInterface({ input: npm.stdout })[Symbol.asyncIterator]();
	const shellId = Number((await lines.next()).value);
	const pid = Number((await lines.next()).value);
	try {
		expect(isRunning(pid)).toBe(true);
		process.kill(killed === 'npm' ? Number(npm.pid) : shellId, 'SIGKILL');
		await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
	} finally {
		npm.kill('SIGKILL');
		if (isRunning(shellId)) process.kill(shellId, 'SIGKILL');
	}
});

test('a started program sees its channel closed when its launcher is killed', async () => {
	const hears =
		"process.on('disconnect', () => process.exit()); setInterval(() => {}, 1000); console.log(process.pid);";
	const launch = `import { become } from '${processes}'; await become(process.execPath, ['--eval', ${JSON.stringify(hears)}]);`;
	const launcher = spawn(process.execPath, ['--input-type=module', '--eval', launch]);
	const pid = Number(await readFirstLine(launcher));
	launcher.kill('SIGKILL');
	await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
});

test('closingLine sums up the results of all suites', () => {
	const results = [
		{ passed: 3, failed: 0, skipped: 0 },
		{ passed: 4, failed: 1, skipped: 0 },
	];
	expect(closingLine(results)).toBe('7 passed, 1 failed');
	expect(closingLine([...results, { passed: 0, failed: 0, skipped: 2 }])).toBe('7 passed, 1 failed, 2 skipped');
});
