import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The repository's root, which is the working directory of every program. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const running = new Set();

/**
 * Runs a program to its end and keeps its output; `isShown`: also prints it while the program runs.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { isShown?: boolean }} options
 * @returns {Promise<{code: number, output: string}>} `code` is 128 + the signal's number for a killed program.
 */
export function capture(command, args, { isShown = false, ...options } = {}) {
	const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
	const chunks = [];
	for (const name of ['stdout', 'stderr']) {
		child[name].on('data', (chunk) => chunks.push(chunk));
		if (isShown) child[name].on('data', (chunk) => process[name].write(chunk));
	}
	return untilClosed(child).then((code) => ({ code, output: Buffer.concat(chunks).toString('utf8') }));
}

export function runInTerminal(command, args, options = {}) {
	return untilClosed(spawn(command, args, { cwd: root, stdio: 'inherit', ...options }));
}

function untilClosed(child) {
	return new Promise((resolve, reject) => {
		running.add(child);
		child.on('error', reject);
		child.on('close', (code, signal) => {
			running.delete(child);
			resolve(exitCodeOf(code, signal));
		});
	});
}

/** Ends a program, if it still runs, and waits for its end. @param {NodeJS.Signals} signal */
export async function endProcess(child, signal = 'SIGTERM') {
	if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill(signal);
	await ended;
}

/** Ends the programs that {@link capture} and {@link runInTerminal} still run. */
export function endRunning(signal = 'SIGTERM') {
	for (const child of running) child.kill(signal);
}

const parentCheckMs = 200;
const parents = readParents();

/**
 * Returns the parent of this process. If the parent is the shell in which npm runs a script, also returns the shell's
 * parent, because the shell continues when npm is killed. Most shells replace themselves by the script; on systems
 * other than Linux, all shells are expected to do so.
 */
function readParents() {
	const parent = process.ppid;
	if (process.platform !== 'linux') return [parent];
	try {
		const isShell = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0')[1] === '-c';
		const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
		return isShell ? [parent, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] : [parent];
	} catch {
		// The parent has just ended.
		return [];
	}
}

/** Whether the npm that started this process has ended; the system then gives its children another parent. */
function hasNpmEnded() {
	// Windows keeps the parent's ID.
	if (process.platform === 'win32') return !isRunning(parents[0]);
	return readParents().join() !== parents.join();
}

/**
 * Calls `end` once when the npm that started this process has ended; without npm, never. On SIGTERM, npm ends, and so
 * does the shell below it, but neither passes the signal to this process.
 */
function watchNpm(end) {
	if (process.env.npm_lifecycle_event === undefined) return;
	const check = setInterval(() => {
		if (!hasNpmEnded()) return;
		clearInterval(check);
		end();
	}, parentCheckMs);
	check.unref();
}

/** The `stdio` of a program whose channel closes ('disconnect') when this process ends or is killed. */
export const withChannel = ['inherit', 'inherit', 'inherit', 'ipc'];

/**
 * Runs a program in place of this process and never returns: passes on the terminal, the signals and the exit code. When
 * this process, or the npm that started it, is killed, the program's channel closes, and a server then ends itself.
 */
export async function runInPlace(command, args, options = {}) {
	if (process.env.npm_lifecycle_event !== undefined && hasNpmEnded()) process.exit(1);
	const child = spawn(command, args, { cwd: root, stdio: withChannel, ...options });
	const closeChannel = () => {
		if (child.connected) child.disconnect();
	};
	// If the script that started this process with a channel ends, the program's channel is closed too.
	if (process.connected === false) closeChannel();
	process.once('disconnect', closeChannel);
	let interrupts = 0;
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	process.on('SIGHUP', () => child.kill('SIGHUP'));
	process.on('SIGINT', () => {
		// The terminal sends Ctrl-C to all foreground processes, so the program has already received the first SIGINT.
		interrupts += 1;
		if (!process.stdin.isTTY || interrupts > 1) child.kill('SIGINT');
	});
	watchNpm(() => {
		closeChannel();
		child.kill('SIGTERM');
	});
	const code = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('exit', (status, signal) => resolve(exitCodeOf(status, signal)));
	});
	process.exit(code);
}

/** Calls `end` when this process receives a signal to end, or when the npm that started it has ended. */
export function onEnd(end) {
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => end(signal));
	watchNpm(() => end('SIGTERM'));
}

export function endProgramsOnSignal() {
	onEnd((signal) => {
		endRunning(signal);
		process.exit(128 + constants.signals[signal]);
	});
}

export function fail(message) {
	console.error(message);
	process.exit(1);
}

export function secondsSince(startedAt) {
	return ((performance.now() - startedAt) / 1000).toFixed(1);
}

function exitCodeOf(code, signal) {
	return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}

/** Whether a process with this ID exists, even one of another account. @param {number} pid @returns {boolean} */
export function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/**
 * Ends the servers and removes the folders that killed runs have left in `parent`. A folder's name begins
 * with `prefix` and the ID of the process that created the folder.
 * @param {(folder: string) => Promise<string>} readPid reads the process ID of the folder's server
 * @param {NodeJS.Signals} signal
 */
export async function removeLeftovers(parent, prefix, readPid, signal) {
	const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix));
	for (const name of names) {
		const folder = join(parent, name);
		const isOurs = (await lstat(folder).catch(() => null))?.uid === (process.getuid?.() ?? 0);
		if (!isOurs || isRunning(Number(name.slice(prefix.length).split('-')[0]))) continue;
		const pid = Number(await readPid(folder).catch(() => ''));
		// Another program may have this ID now. Only a process with this folder in its command line is ended.
		if (pid > 0 && (await readCommand(pid)).includes(folder)) {
			process.kill(pid, signal);
			for (let tries = 0; tries < 50 && isRunning(pid); tries += 1) await sleep(100);
		}
		await rm(folder, { recursive: true, force: true });
	}
}

/** Reads a process's command line; '' if it does not exist. @param {number} pid @returns {Promise<string>} */
export async function readCommand(pid) {
	if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
	const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
	return stdout;
}
