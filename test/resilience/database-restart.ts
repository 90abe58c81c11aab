/**
 * PostgreSQL crashes while clients buy from two processes, and is started again seconds later. Every request is
 * answered in time, every acknowledged order is stored, no order is incomplete, and the processes continue by
 * themselves.
 * Control: with a PostgreSQL that confirms a commit before it is on the disk, the same checks must find lost orders.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedPostgresVariable } from '../support/services/cluster.ts';
import { runStatement, startPostgres } from '../support/services/postgres-server.ts';
import { buyThroughOutage, describeOutage, waitForAcknowledged } from './support/database-outage.ts';
import { checkControl, finishTest, isShort, printLine } from './support/report.ts';
import { openCluster } from './support/server.ts';

const plan = isShort ? { before: 15, after: 15, clients: 4 } : { before: 60, after: 60, clients: 6 };
const outageMs = 3000;
/** For the control: number of orders acknowledged before the crash. Some of them are not on the disk yet. */
const unsynced = 12;
const answeredWithinMs = 10_000;

const failures: string[] = [];
const run = await runScenario();
const longestMs = Math.round(Math.max(...run.purchases.map(({ ms }) => ms)));
printLine(`${describeOutage(run)}, the longest answer took ${longestMs} ms`);
failures.push(...run.faults);
if (!run.purchases.some(({ outcome }) => outcome === 'refused'))
	failures.push('no purchase was refused while the database was down');
if (longestMs > answeredWithinMs) failures.push(`a purchase was answered only after ${longestMs} ms`);

const control = await runScenario(
	'alter system set synchronous_commit = off',
	'alter system set wal_writer_delay = 10000',
);
printLine(`control, commits that do not wait for the disk: ${describeOutage(control)}`);
finishTest([...failures, ...checkControl(control.faults, /was acknowledged, has 0 orders$/u)]);

async function runScenario(...settings: string[]) {
	await using postgres = await startPostgres({ isDurable: true });
	process.env[sharedPostgresVariable] = postgres.urlOf('postgres');
	await using cluster = await openCluster(undefined, { LOG_LEVEL: 'fatal' });
	return await buyThroughOutage(cluster, {
		...plan,
		async stop(countAcknowledged) {
			if (settings.length > 0) {
				for (const setting of [...settings, 'select pg_reload_conf()'])
					await runStatement(postgres.urlOf('postgres'), setting);
				await waitForAcknowledged(countAcknowledged, unsynced);
			}
			await postgres.crash();
		},
		async waitUntilBack() {
			await sleep(outageMs);
			await postgres.startAgain();
		},
	});
}
