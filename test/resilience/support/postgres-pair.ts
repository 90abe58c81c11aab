import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { requireProgram } from '../../../scripts/services/debian-packages.mjs';
import { freePort } from '../../../scripts/services/free-port.mjs';
import { createDatabase, runStatement, startPostgres } from '../../support/services/postgres-server.ts';
import { waitUntil } from './report.ts';

const example = resolve(import.meta.dirname, '../../../deploy/haproxy-postgres.cfg');
const startTimeoutMs = 30_000;

/** Starts a primary and its streaming standby behind haproxy. With `isSynchronous`, commits wait for the standby. */
export async function startPostgresPair({ isSynchronous }: { isSynchronous: boolean }) {
	const purpose = 'The failover is tested behind haproxy';
	const haproxy = await requireProgram({ name: 'haproxy', packages: ['haproxy'], purpose });
	const primary = await startPostgres({ isDurable: true });
	const primaryUrl = new URL((await createDatabase(primary.urlOf('postgres'))).url);
	const standby = await primary.startStandby();
	const replicationHas = (state: string) =>
		runs(primaryUrl.href, `select 1 from pg_stat_replication where ${state}`, (rows) => rows > 0);
	await waitUntil(() => replicationHas("state = 'streaming'"), 'the standby does not replicate', startTimeoutMs);
	if (isSynchronous) {
		// Set on the primary only, after the copy, because a promoted standby has no standby to wait for.
		await runStatement(primaryUrl.href, "alter system set synchronous_standby_names = 'standby'");
		await runStatement(primaryUrl.href, 'select pg_reload_conf()');
		await waitUntil(() => replicationHas("sync_state = 'sync'"), 'the standby is not synchronous', startTimeoutMs);
	}

	const folder = await mkdtemp(join(tmpdir(), 'folio-pair-'));
	const port = await freePort();
	const config = (await readFile(example, 'utf8'))
		.replace('127.0.0.1:6432', `127.0.0.1:${port}`)
		.replace('127.0.0.1:5433', primaryUrl.host)
		.replace('127.0.0.1:5434', `127.0.0.1:${standby.port}`);
	await writeFile(join(folder, 'haproxy.cfg'), config);
	const proxy = spawn(haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], { cwd: folder, stdio: 'ignore' });
	const killProxy = () => proxy.kill('SIGKILL');
	process.once('exit', killProxy);
	const url = Object.assign(new URL(primaryUrl), { port }).href;
	await waitUntil(() => runs(url, 'select 1'), 'haproxy does not connect to the primary', startTimeoutMs);
	return {
		/** URL of a database through haproxy, which connects to the current primary. */
		url,
		killPrimary: () => primary.crash('SIGKILL'),
		/** Makes the standby the primary, and waits until haproxy connects to it. */
		async promote() {
			await standby.promote();
			const isPrimary = () => runs(url, 'create temporary table is_primary (yes int)');
			await waitUntil(isPrimary, 'haproxy does not connect to the new primary', startTimeoutMs);
		},
		async stallStandby() {
			await standby.stall();
			const isStalled = async () => !(await replicationHas("state = 'streaming'"));
			await waitUntil(isStalled, 'the standby still replicates from the primary', startTimeoutMs);
		},
		async [Symbol.asyncDispose]() {
			process.off('exit', killProxy);
			const ended = once(proxy, 'exit');
			killProxy();
			await ended;
			await primary.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

function runs(url: string, statement: string, isExpected = (_rows: number) => true): Promise<boolean> {
	return runStatement(url, statement).then(isExpected, () => false);
}
