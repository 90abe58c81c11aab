import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { root } from './processes.mjs';

const startTimeoutMs = 20_000;

/**
 * Starts a server program on a free port of the loopback address and waits until `/healthz` answers.
 * @param {string} node
 * @param {Record<string, string | undefined>} env its environment, without HOST and PORT
 * @param {string} [program] the built server, unless another is named
 * @returns {Promise<{url: string, pid: number, startMs: number, log(): string, stop(): Promise<void>}>}
 *   `startMs`: from the start of the process to the first answer
 * @throws Error with its output when it ends, or does not answer for 20 s
 */
export async function startServer(node, env, program = join(root, 'dist', 'server', 'main.js')) {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const startedAt = performance.now();
	const child = spawn(node, [program], {
		cwd: root,
		env: { ...env, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const chunks = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
	const log = () => Buffer.concat(chunks).toString('utf8');
	const ended = new Promise((resolve) => child.once('exit', resolve));
	// A caller that dies takes its server along.
	const kill = () => child.kill('SIGKILL');
	process.once('exit', kill);
	const stop = async () => {
		child.kill('SIGTERM');
		await ended;
		process.off('exit', kill);
	};
	while (!(await answers(`${url}/healthz`))) {
		const isGone = child.exitCode !== null || child.signalCode !== null;
		if (isGone || performance.now() - startedAt > startTimeoutMs) {
			kill();
			throw new Error(`${program} does not answer.\n${log()}`);
		}
		await sleep(5);
	}
	return { url, pid: child.pid, startMs: performance.now() - startedAt, log, stop };
}

async function answers(address) {
	try {
		return (await fetch(address)).ok;
	} catch {
		return false;
	}
}
