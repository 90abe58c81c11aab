import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, root } from '../setup/processes.mjs';
import { serverEnv } from '../setup/server-env.mjs';
import { freePort } from './free-port.mjs';

const startTimeoutMs = 30_000;

/** Copies the build, because a later build must not change the files of a running server. */
export async function copyBuild() {
	const folder = join(root, '.stamp', `run-${process.pid}`);
	await cp(join(root, 'dist'), folder, { recursive: true });
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const remove = () => rm(folder, { recursive: true, force: true });
	return { program: join(folder, 'server', 'main.js'), remove };
}

/**
 * Starts a server program on a free port of the loopback address and waits until `/healthz` answers.
 * @param {string} node
 * @param {Record<string, string | undefined>} env its environment, without HOST and PORT
 * @param {string} program
 * @returns {Promise<{url: string, pid: number, startMs: number, stop(): Promise<void>} & AsyncDisposable>}
 *   `startMs`: from the start of the process to the first answer
 * @throws Error with the program's output when the program ends, or does not answer for 30 s
 */
export async function startServer(node, env, program) {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	// A file, not a pipe: reading a pipe in this process would disturb the measurement.
	const logFile = join(tmpdir(), `folio-server-${process.pid}-${port}.log`);
	const log = openSync(logFile, 'w');
	const startedAt = performance.now();
	const child = spawn(node, [program], {
		cwd: root,
		env: { ...serverEnv, ...env, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url },
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	const kill = () => {
		child.kill('SIGKILL');
		rmSync(logFile, { force: true });
	};
	// Before the data folder is removed, see makeTemporaryFolder.
	process.prependOnceListener('exit', kill);
	const stop = async () => {
		await endProcess(child);
		process.off('exit', kill);
		rmSync(logFile, { force: true });
	};
	if (!(await isHealthySoon(url, child))) {
		const output = readFileSync(logFile, 'utf8');
		kill();
		throw new Error(`${program} does not answer.\n${output}`);
	}
	return { url, pid: child.pid, startMs: performance.now() - startedAt, stop, [Symbol.asyncDispose]: stop };
}

/** Waits until `/healthz` answers. @returns false when the process has ended or does not answer for 30 s */
export async function isHealthySoon(url, child) {
	const giveUpAt = performance.now() + startTimeoutMs;
	while (child.exitCode === null && child.signalCode === null && performance.now() < giveUpAt) {
		const answer = await fetch(`${url}/healthz`).catch(() => null);
		if (answer?.ok) return true;
		await sleep(5);
	}
	return false;
}
