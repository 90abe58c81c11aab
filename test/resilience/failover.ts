/**
 * The primary of PostgreSQL is killed (-9) during checkouts, and its synchronous standby takes over behind haproxy.
 * Every acknowledged order is stored with its account and its mail, and the clients continue.
 * Control: if commits do not wait for the standby and the standby lags, the same checks must find lost orders.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { buyThroughOutage, describeOutage, waitForAcknowledged } from './support/database-outage.ts';
import { startPostgresPair } from './support/postgres-pair.ts';
import { checkControl, finishTest, isShort, printLine } from './support/report.ts';
import { openServer } from './support/server.ts';

const plan = isShort ? { before: 12, after: 12, clients: 4 } : { before: 60, after: 60, clients: 4 };
/** For the control: the number of acknowledged orders that the standby does not have. */
const lagging = 8;
const outageMs = 1500;

const failures: string[] = [];
const run = await runScenario({ isSynchronous: true });
printLine(describeOutage(run));
failures.push(...run.faults);
const control = await runScenario({ isSynchronous: false });
printLine(`control, commits that wait for no standby: ${describeOutage(control)}`);
finishTest([...failures, ...checkControl(control.faults, /was acknowledged, has 0 orders$/u)]);

async function runScenario({ isSynchronous }: { isSynchronous: boolean }) {
	await using pair = await startPostgresPair({ isSynchronous });
	const outage = {
		...plan,
		async stop(countAcknowledged: () => number) {
			if (!isSynchronous) {
				await pair.stallStandby();
				await waitForAcknowledged(countAcknowledged, lagging);
			}
			await pair.killPrimary();
		},
		async waitUntilBack() {
			await sleep(outageMs);
			await pair.promote();
		},
	};
	await using server = await openServer(undefined, { DATABASE_URL: pair.url });
	return await buyThroughOutage(server, outage);
}
