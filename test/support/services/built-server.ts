import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isHealthySoon } from '../../../scripts/services/built-server.mjs';
import { freePort } from '../../../scripts/services/free-port.mjs';
import { capture, endProcess } from '../../../scripts/setup/processes.mjs';
import { serverEnv } from '../../../scripts/setup/server-env.mjs';

const repository = resolve(import.meta.dirname, '..', '..', '..');

export const builtDist = join(repository, 'dist');

export const ownerEmail = 'owner@example.com';
export const ownerPassword = 'the owner signs in';

export interface LogLine {
	msg: string;
	[field: string]: unknown;
}

export interface BuiltServer extends AsyncDisposable {
	readonly url: string;
	readonly dataDir: string;
	/** URL of the server's PostgreSQL database; null for SQLite in the data folder. */
	readonly databaseUrl: string | null;
	/** All log lines since the first start, including those before a restart. */
	readonly log: LogLine[];
	/** Printed lines that are not log lines. */
	readonly printed: string[];
	/** File with the whole output, in the folder of the variable FOLIO_TEST_LOGS; null without this variable. */
	readonly logFile: string | null;
	pid(): number | undefined;
	isRunning(): boolean;
	/** Starts the server again on the same port and folder. @throws Error with the output when the start fails */
	start(): Promise<void>;
	kill(): Promise<void>;
	cli(...args: string[]): Promise<{ code: number; output: string }>;
	close(): Promise<void>;
}

export interface SingleServer extends BuiltServer {
	/** Ends the server with SIGTERM. @returns the exit code, and the duration in ms */
	terminate(): Promise<{ code: number | null; ms: number }>;
}

/** `logName` is the prefix of the log file's name. */
export interface BuiltServerOptions {
	env?: Record<string, string>;
	dist?: string | undefined;
	onPrinted?: (line: string) => void;
	logName?: string;
}

/** Starts the built product with an owner ({@link ownerEmail}) and waits until it responds. */
export async function startBuiltServer(options: BuiltServerOptions = {}): Promise<SingleServer> {
	const port = await freePort();
	const ownDir = await mkdtemp(join(tmpdir(), 'folio-built-'));
	// A data folder in `env` is not deleted, because other servers may use it.
	const dataDir = options.env?.DATA_DIR ?? ownDir;
	await mkdir(dataDir, { recursive: true });
	const dist = options.dist ?? builtDist;
	const url = `http://127.0.0.1:${port}`;
	const env = { ...serverEnv, ...environmentOf(port, dataDir), ...options.env };
	const log: LogLine[] = [];
	const printed: string[] = [];
	const logFile = nameLogFile(options.logName ?? 'server', port);
	let child: ChildProcess | undefined;
	const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
	const stop = async (signal: NodeJS.Signals) => {
		if (!isRunning()) throw new Error('The server is not running.');
		await endProcess(child, signal);
	};
	const killOnExit = () => child?.kill('SIGKILL');
	process.once('exit', killOnExit);

	const server: SingleServer = {
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
			collectOutput(child, server, options);
			if (!(await isHealthySoon(url, child))) throw new Error(`The server does not respond.\n${printed.join('\n')}`);
		},
		kill: () => stop('SIGKILL'),
		async terminate() {
			const startedAt = performance.now();
			await stop('SIGTERM');
			return { code: child?.exitCode ?? null, ms: performance.now() - startedAt };
		},
		cli: (...args) => capture(process.execPath, [join(dist, 'server', 'cli.js'), ...args], { cwd: dataDir, env }),
		async close() {
			await endProcess(child, 'SIGKILL');
			process.off('exit', killOnExit);
			await rm(ownDir, { recursive: true, force: true });
		},
		[Symbol.asyncDispose]: () => server.close(),
	};
	await server.start().catch(async (error) => {
		await server.close();
		throw error;
	});
	return server;
}

/** Returns the environment of a server with an owner; of this process's variables only those that a program needs. */
export function environmentOf(port: number, dataDir: string) {
	const { PATH = '', HOME = '', TMPDIR } = process.env;
	return {
		PATH,
		HOME,
		...(TMPDIR !== undefined && { TMPDIR }),
		HOST: '127.0.0.1',
		PORT: String(port),
		PUBLIC_URL: `http://127.0.0.1:${port}`,
		DATA_DIR: dataDir,
		ADMIN_EMAIL: ownerEmail,
		ADMIN_PASSWORD: ownerPassword,
	};
}

function collectOutput(
	{ stdout, stderr }: ChildProcess,
	{ log, printed, logFile }: BuiltServer,
	options: BuiltServerOptions,
) {
	for (const stream of [stdout, stderr]) {
		if (stream === null) continue;
		if (logFile !== null) stream.on('data', (chunk: Buffer) => appendFileSync(logFile, chunk));
		createInterface({ input: stream }).on('line', (line) => {
			const parsed = parseLogLine(line);
			if (parsed !== null) log.push(parsed);
			else if (line !== '') {
				printed.push(line);
				options.onPrinted?.(line);
			}
		});
	}
}

/** Returns the path of a log file. The port makes the name unique among running servers. */
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
