/**
 * PostgreSQL crashes while clients buy from two processes, and comes back seconds later. Every request is answered in
 * time, every acknowledged order is stored, no order is incomplete, and the processes continue by themselves.
 * Control: with a PostgreSQL that confirms a commit before it is on the disk, the same checks must find lost orders.
 *
 * `node scripts/resilience.mjs database-restart [--short]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedPostgresVariable } from '../support/services/cluster.ts';
import { type PostgresServer, runStatement, startPostgres } from '../support/services/postgres-server.ts';
import { buyThroughOutage, type Outage, waitForAcknowledged } from './support/database-outage.ts';
import { describePurchases } from './support/purchases.ts';
import { checkControl, finishTest, isShort, printLine } from './support/report.ts';
import { withCluster } from './support/server.ts';

const plan = isShort ? { before: 15, after: 15, clients: 4 } : { before: 60, after: 60, clients: 6 };
const outageMs = 3000;
/** For the control: the number of acknowledged orders that are not all on the disk at the crash. */
const unsynced = 12;
const answeredWithinMs = 10_000;

const failures: string[] = [];
const { purchases, faults, awayForMs } = await runScenario();
const longestMs = Math.round(Math.max(...purchases.map(({ ms }) => ms)));
const back = `the first one after the crash was acknowledged after ${Math.round(awayForMs)} ms, the longest answer took ${longestMs} ms`;
printLine(`${describePurchases(purchases)}; ${back}`);
failures.push(...faults);
if (!purchases.some(({ outcome }) => outcome === 'refused'))
	failures.push('nobody was refused while the database was away');
if (longestMs > answeredWithinMs) failures.push(`somebody waited ${longestMs} ms for an answer`);

const control = await runScenario(
	'alter system set synchronous_commit = off',
	'alter system set wal_writer_delay = 10000',
);
const found = `the checks found ${control.faults.length} faults`;
printLine(`control, commits that do not wait for the disk: ${describePurchases(control.purchases)}; ${found}`);
finishTest([...failures, ...checkControl(control.faults, /was acknowledged, has 0 orders$/u)]);

async function runScenario(...settings: string[]) {
	const postgres = await startPostgres({ isDurable: true });
	try {
		return await buyOn(postgres, settings);
	} finally {
		await postgres.stop();
	}
}

async function buyOn(postgres: PostgresServer, settings: string[]) {
	process.env[sharedPostgresVariable] = postgres.urlOf('postgres');
	const outage: Outage = {
		...plan,
		async stop(countAcknowledged) {
			if (settings.length > 0) {
				for (const setting of [...settings, 'select pg_reload_conf()'])
					await runStatement(postgres.urlOf('postgres'), setting);
				const known = countAcknowledged();
				await waitForAcknowledged(() => countAcknowledged() >= known + unsynced);
			}
			await postgres.crash();
		},
		async waitUntilBack() {
			await sleep(outageMs);
			await postgres.startAgain();
		},
	};
	return withCluster({ env: { LOG_LEVEL: 'fatal' } }, (cluster) => buyThroughOutage(cluster, outage));
}
