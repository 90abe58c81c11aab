/** A PostgreSQL primary and its streaming standby behind haproxy, on loopback, from Debian's packages. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { root } from '../setup/processes.mjs';
import { requireProgram } from './debian-packages.mjs';
import { freePorts } from './free-port.mjs';

const run = promisify(execFile);
const user = 'folio';
const startTimeoutMs = 30_000;
const example = join(root, 'deploy', 'haproxy-postgres.cfg');

/**
 * @typedef {object} PostgresPair
 * @property {string} url address of haproxy, which connects to the current primary
 * @property {() => Promise<void>} killPrimary kills every process of the primary (SIGKILL), as when its machine fails
 * @property {() => Promise<void>} promote makes the standby the primary, and waits until haproxy connects to it
 * @property {() => Promise<void>} stallStandby stops the replication from the primary to the standby
 * @property {() => Promise<void>} stop
 */

/**
 * @param {{ isSynchronous?: boolean }} options `isSynchronous`: a commit waits until the standby has it
 * @returns {Promise<PostgresPair>}
 */
export async function startPostgresPair({ isSynchronous = true } = {}) {
	const haproxy = await requireProgram({
		name: 'haproxy',
		packages: ['haproxy'],
		purpose: 'The failover is tested behind haproxy',
	});
	const programs = await findPrograms();
	const folder = await mkdtemp(join(tmpdir(), 'folio-pair-'));
	const children = [];
	const killAll = () => {
		for (const child of children) killTree(child);
	};
	process.once('exit', killAll);
	const stop = async () => {
		process.off('exit', killAll);
		killAll();
		await sleep(100);
		await rm(folder, { recursive: true, force: true });
	};
	try {
		return await startIn({ haproxy, programs, folder, children, isSynchronous, stop });
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startIn({ haproxy, programs, folder, children, isSynchronous, stop }) {
	const identity = await findIdentity();
	await chmod(folder, 0o755);
	const [portA, portB, port] = await freePorts(3);
	const [dataA, dataB] = [join(folder, 'a'), join(folder, 'b')];
	for (const data of [dataA, dataB]) {
		await mkdir(data, { mode: 0o700 });
		if (identity) await chown(data, identity.uid, identity.gid);
	}
	const as = { cwd: folder, ...identity };
	const start = (data) => {
		const child = spawn(join(programs, 'postgres'), ['-D', data], { ...as, stdio: 'ignore' });
		children.push(child);
		return child;
	};
	const locale = ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C', '--encoding=UTF8'];
	await run(join(programs, 'initdb'), ['-D', dataA, '-U', user, '--auth=trust', ...locale], as);
	const common = `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\nhot_standby = off\n`;
	await appendFile(join(dataA, 'postgresql.conf'), `${common}port = ${portA}\n`);
	const primary = start(dataA);
	const urlA = `postgres://${user}@127.0.0.1:${portA}/postgres`;
	await until(() => query(urlA, 'select 1'), 'the primary did not start');
	await query(urlA, 'create database folio template template0');

	const backup = ['-D', dataB, '-h', '127.0.0.1', '-p', String(portA), '-U', user, '-X', 'stream', '-c', 'fast'];
	await run(join(programs, 'pg_basebackup'), backup, as);
	await writeFile(join(dataB, 'standby.signal'), '');
	const source = `primary_conninfo = 'host=127.0.0.1 port=${portA} user=${user} application_name=standby'`;
	await appendFile(join(dataB, 'postgresql.conf'), `port = ${portB}\n${source}\n`);
	start(dataB);
	const isReplicating = async () =>
		(await query(urlA, "select 1 from pg_stat_replication where state = 'streaming'")).length > 0;
	await until(isReplicating, 'the standby does not replicate from the primary');
	if (isSynchronous) {
		// Set on the primary only, after the copy: the standby, once promoted, has no standby to wait for.
		await query(urlA, "alter system set synchronous_standby_names = 'standby'");
		await query(urlA, 'select pg_reload_conf()');
		const isSynchronized = async () =>
			(await query(urlA, "select 1 from pg_stat_replication where sync_state = 'sync'")).length > 0;
		await until(isSynchronized, 'the standby is not synchronous');
	}

	const config = (await readFile(example, 'utf8'))
		.replace('127.0.0.1:6432', `127.0.0.1:${port}`)
		.replace('127.0.0.1:5433', `127.0.0.1:${portA}`)
		.replace('127.0.0.1:5434', `127.0.0.1:${portB}`);
	await writeFile(join(folder, 'haproxy.cfg'), config);
	children.push(spawn(haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], { cwd: folder, stdio: 'ignore' }));
	const url = `postgres://${user}@127.0.0.1:${port}/folio`;
	await until(() => query(url, 'select 1'), 'haproxy does not connect to the primary');
	return {
		url,
		async killPrimary() {
			killTree(primary);
		},
		async promote() {
			await run(join(programs, 'pg_ctl'), ['promote', '-D', dataB, '-w'], as);
			await until(
				() => query(url, 'create temporary table is_primary (yes int)'),
				'haproxy does not connect to the new primary',
			);
		},
		async stallStandby() {
			await appendFile(join(dataB, 'postgresql.conf'), "primary_conninfo = ''\n");
			await run(join(programs, 'pg_ctl'), ['reload', '-D', dataB], as);
			await until(async () => !(await isReplicating()), 'the standby still replicates from the primary');
		},
		stop,
	};
}

/** Finds PostgreSQL's programs: Debian has a folder for each version; uses the newest that is complete. */
async function findPrograms() {
	const base = '/usr/lib/postgresql';
	const list = () =>
		(existsSync(base) ? readdirSync(base) : [])
			.sort((a, b) => Number(b) - Number(a))
			.map((version) => join(base, version, 'bin'));
	const program = await requireProgram({
		name: 'initdb',
		folders: list,
		packages: ['postgresql'],
		purpose: 'The failover is tested on an installed PostgreSQL',
	});
	return dirname(program);
}

/** Returns the account that Debian's package creates, because PostgreSQL refuses root; undefined when not root. */
async function findIdentity() {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = async (option) => Number((await run('id', [option, 'postgres'])).stdout);
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function query(url, statement) {
	const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
	// When the server ends the connection, the query already reports it.
	client.on('error', () => {});
	try {
		await client.connect();
		return (await client.query(statement)).rows;
	} finally {
		await client.end().catch(() => {});
	}
}

async function until(work, otherwise) {
	const giveUpAt = performance.now() + startTimeoutMs;
	for (;;) {
		const answer = await work().catch((error) => ({ error }));
		if (answer !== false && answer?.error === undefined) return;
		if (performance.now() > giveUpAt) throw new Error(`${otherwise}: ${answer?.error?.message ?? ''}`);
		await sleep(100);
	}
}

/** Kills a server and its children, which are not in its process group; the parent first, so that it starts no more. */
function killTree(child) {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const children = listChildren(child.pid);
	child.kill('SIGKILL');
	for (const pid of children) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// The child has ended with its parent.
		}
	}
}

/** Lists a process's children from /proc, where field 4 of `stat` is the parent (proc(5)). */
function listChildren(parent) {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/u.test(name))
		.flatMap((name) => {
			try {
				const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
				const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
				return ppid === parent ? [Number(name)] : [];
			} catch {
				return [];
			}
		});
}
