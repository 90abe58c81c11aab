import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRunning } from '../../scripts/setup/processes.mjs';
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

/** This program increments a number in a file while it has the lock. Without the lock, increments would be lost. */
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

async function addConcurrently(times: number): Promise<string> {
	await writeFile(join(folder, 'count'), '0');
	const add = () => run(process.execPath, ['--input-type=module', '--eval', slowAddition], { cwd: folder });
	await Promise.all(Array.from({ length: times }, add));
	return readFile(join(folder, 'count'), 'utf8');
}

test('withLock runs one process at a time', async () => {
	expect(await addConcurrently(5)).toBe('5');
});

test('withLock takes over the lock of a killed process without waiting', async () => {
	const hold = `import { withLock } from '${lock}'; await withLock('lock', () => { console.log(process.pid); return new Promise((resolve) => setTimeout(resolve, 60_000)); });`;
	// `sleep` replaces the shell and does not wait for its children, so the killed process remains a zombie.
	const command = '"$0" --input-type=module --eval "$1" & exec sleep 60';
	const parent = spawn('sh', ['-c', command, process.execPath, hold], { cwd: folder });
	try {
		const pid = Number(await readFirstLine(parent));
		process.kill(pid, 'SIGKILL');
		expect(await addConcurrently(5)).toBe('5');
		expect(isRunning(pid)).toBe(true);
	} finally {
		parent.kill('SIGKILL');
	}
});

/** This program prints its process ID, and exits with code 7 on SIGTERM. */
const server = "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid);";
const startOf = (program: string) =>
	`import { runInPlace } from '${processes}'; await runInPlace(process.execPath, ['--eval', ${JSON.stringify(program)}]);`;
const starter = startOf(server);

async function readFirstLine(child: ChildProcess): Promise<string> {
	const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
	return chunk.toString('utf8').trim();
}

test('runInPlace forwards SIGTERM to the program, and exits with the exit code of the program', async () => {
	const child = spawn(process.execPath, ['--input-type=module', '--eval', starter]);
	await readFirstLine(child);
	child.kill('SIGTERM');
	expect(await once(child, 'exit')).toEqual([7, null]);
});

test.each(['npm', "npm's shell"])('runInPlace ends the program when %s is killed', async (killed) => {
	// Without `exit $?`, some shells would replace themselves by the program.
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

test('runInPlace closes the IPC channel of the program when the launcher is killed', async () => {
	const program =
		"process.on('disconnect', () => process.exit()); setInterval(() => {}, 1000); console.log(process.pid);";
	const launcher = spawn(process.execPath, ['--input-type=module', '--eval', startOf(program)]);
	const pid = Number(await readFirstLine(launcher));
	launcher.kill('SIGKILL');
	await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
});

test('closingLine adds the results of all suites', () => {
	const results = [
		{ passed: 3, failed: 0, skipped: 0 },
		{ passed: 4, failed: 1, skipped: 0 },
	];
	expect(closingLine(results)).toBe('7 passed, 1 failed');
	expect(closingLine([...results, { passed: 0, failed: 0, skipped: 2 }])).toBe('7 passed, 1 failed, 2 skipped');
});
