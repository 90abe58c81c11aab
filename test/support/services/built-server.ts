import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverEnv } from '../../../scripts/setup/server-env.mjs';

const run = promisify(execFile);
const startTimeoutMs = 30_000;
const repository = resolve(import.meta.dirname, '..', '..', '..');

/** Output folder of `npm run build`; `FOLIO_DIST` names another build. */
export const builtDist: string = process.env.FOLIO_DIST ?? join(repository, 'dist');

export const ownerEmail = 'owner@example.com';
export const ownerPassword = 'the owner signs in';

/** One line of the server's structured log. */
export interface LogLine {
	msg: string;
	[field: string]: unknown;
}

/** The built product as a separate process, on a free port and with its own data folder. */
export interface BuiltServer {
	readonly url: string;
	readonly dataDir: string;
	/** URL of the server's PostgreSQL database; null for SQLite in the data folder. */
	readonly databaseUrl: string | null;
	/** All log lines since the first start, including those before a restart. */
	readonly log: LogLine[];
	/** Printed lines that are not log lines. */
	readonly printed: string[];
	/** File with the whole output, in the folder FOLIO_TEST_LOGS; null without that variable. */
	readonly logFile: string | null;
	pid(): number | undefined;
	isRunning(): boolean;
	/** Starts the server again on the same port and folder. @throws Error with the output when the start fails */
	start(): Promise<void>;
	/** Kills the process with SIGKILL and waits until it has ended. */
	kill(): Promise<void>;
	/** Ends the server with SIGTERM. @returns exit code or signal, and the duration in ms */
	terminate(): Promise<{ code: number | null; signal: string | null; ms: number }>;
	/** Runs the command line program on the same data. */
	cli(...args: string[]): Promise<{ code: number; output: string }>;
	/** Ends the process and removes its data. */
	close(): Promise<void>;
}

/** `logName` is the prefix of the log file's name. */
interface BuiltServerOptions {
	env?: Record<string, string>;
	dist?: string;
	onPrinted?: (line: string) => void;
	logName?: string;
}

/** Starts the built product with an owner ({@link ownerEmail}) and waits until it responds. */
export async function startBuiltServer(options: BuiltServerOptions = {}): Promise<BuiltServer> {
	const port = await findFreePort();
	const ownDir = await mkdtemp(join(tmpdir(), 'folio-built-'));
	// Other servers may also use a data folder in `env`, so it is not deleted.
	const dataDir = options.env?.DATA_DIR ?? ownDir;
	await mkdir(dataDir, { recursive: true });
	const dist = options.dist ?? builtDist;
	const url = `http://127.0.0.1:${port}`;
	const env = {
		...serverEnv,
		...inheritedEnvironment(),
		HOST: '127.0.0.1',
		PORT: String(port),
		PUBLIC_URL: url,
		DATA_DIR: dataDir,
		ADMIN_EMAIL: ownerEmail,
		ADMIN_PASSWORD: ownerPassword,
		...options.env,
	};
	const log: LogLine[] = [];
	const printed: string[] = [];
	const logFile = nameLogFile(options.logName ?? 'server', port);
	let child: ChildProcess | undefined;
	const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
	const killOnExit = () => child?.kill('SIGKILL');
	process.once('exit', killOnExit);

	const server: BuiltServer = {
		url,
		dataDir,
		databaseUrl: options.env?.DATABASE_URL ?? null,
		log,
		printed,
		logFile,
		pid: () => child?.pid,
		isRunning,
		async start() {
			if (isRunning()) throw new Error('The server is running already.');
			const file = join(dist, 'server', 'main.js');
			child = spawn(process.execPath, [file], { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
			collectOutput(child, log, printed, logFile, options.onPrinted);
			await waitUntilServing(url, isRunning, printed);
		},
		async kill() {
			await stopProcess(child, isRunning, 'SIGKILL');
		},
		async terminate() {
			const startedAt = performance.now();
			const { code, signal } = await stopProcess(child, isRunning, 'SIGTERM');
			return { code, signal, ms: performance.now() - startedAt };
		},
		async cli(...args) {
			return run(process.execPath, [join(dist, 'server', 'cli.js'), ...args], { cwd: dataDir, env }).then(
				({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
				({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
			);
		},
		async close() {
			if (isRunning()) await stopProcess(child, isRunning, 'SIGKILL');
			process.off('exit', killOnExit);
			await rm(ownDir, { recursive: true, force: true });
		},
	};
	try {
		await server.start();
	} catch (error) {
		await server.close();
		throw error;
	}
	return server;
}

/** Returns the environment variables that a program needs, without other variables of the user who runs the tests. */
export function inheritedEnvironment(): Record<string, string> {
	const { PATH = '', HOME = '', TMPDIR } = process.env;
	return { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }) };
}

function collectOutput(
	child: ChildProcess,
	log: LogLine[],
	printed: string[],
	logFile: string | null,
	onPrinted: (line: string) => void = () => {},
): void {
	for (const stream of [child.stdout, child.stderr]) {
		let rest = '';
		stream?.on('data', (chunk: Buffer) => {
			if (logFile !== null) appendFileSync(logFile, chunk);
			const lines = (rest + chunk.toString('utf8')).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) {
				const parsed = parseLogLine(line);
				if (parsed !== null) log.push(parsed);
				else if (line !== '') {
					printed.push(line);
					onPrinted(line);
				}
			}
		});
	}
}

/** Returns the path of a log file, with the port in its name, which is unique among running servers. */
function nameLogFile(name: string, port: number): string | null {
	const folder = process.env.FOLIO_TEST_LOGS ?? '';
	if (folder === '') return null;
	mkdirSync(folder, { recursive: true });
	return join(folder, `${name}-${port}.log`);
}

function parseLogLine(line: string): LogLine | null {
	if (!line.startsWith('{')) return null;
	try {
		return JSON.parse(line) as LogLine;
	} catch {
		return null;
	}
}

async function waitUntilServing(url: string, isRunning: () => boolean, printed: string[]): Promise<void> {
	const timeoutAt = performance.now() + startTimeoutMs;
	while (performance.now() < timeoutAt) {
		if (!isRunning()) throw new Error(`The server ended while starting.\n${printed.join('\n')}`);
		const answer = await fetch(`${url}/healthz`).catch(() => null);
		if (answer?.ok) return;
		await sleep(20);
	}
	throw new Error(`The server did not respond within ${startTimeoutMs / 1000} s.\n${printed.join('\n')}`);
}

function stopProcess(
	child: ChildProcess | undefined,
	isRunning: () => boolean,
	signal: NodeJS.Signals,
): Promise<{ code: number | null; signal: string | null }> {
	if (child === undefined || !isRunning()) return Promise.reject(new Error('The server is not running.'));
	return new Promise((resolve) => {
		child.once('exit', (code, endedBy) => resolve({ code, signal: endedBy }));
		child.kill(signal);
	});
}

/**
 * Finds a free port below the range of outgoing ports (32768 up, Linux's ip_local_port_range), so that no client's
 * connection can use the server's port between a kill and the restart.
 */
export async function findFreePort(): Promise<number> {
	for (let tries = 0; tries < 50; tries += 1) {
		const port = randomInt(20_000, 32_000);
		if (await isFree(port)) return port;
	}
	throw new Error('no free port');
}

function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const probe = createServer();
		probe.once('error', () => resolve(false));
		probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
	});
}
