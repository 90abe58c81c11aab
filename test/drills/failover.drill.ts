/**
 * PostgreSQL's primary is killed (-9) while purchases run, and its synchronous standby takes over behind haproxy: every
 * purchase that a client was told of is there with its login and its mail, and clients go on.
 * Control: with a standby that commits do not wait for, and that lags, the same judge must find purchases lost.
 *
 * `node scripts/drill.mjs failover [--short]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgresPair } from '../../scripts/postgres-pair.mjs';
import { buyThroughOutage, describeOutage, untilTold } from './support/outage.ts';
import { endDrill, say } from './support/report.ts';
import { withServer } from './support/server.ts';

const isShort = process.argv.includes('--short');
const plan = isShort ? { before: 12, after: 12, clients: 4 } : { before: 60, after: 60, clients: 4 };
/** Of the control: told, and not on the standby. */
const lagging = 8;
const awayMs = 1500;

const wrong: string[] = [];
const { purchases, faults, awayForMs } = await drill({ isSynchronous: true });
say(`${describeOutage(purchases)}; the first one after the kill was told after ${Math.round(awayForMs)} ms`);
wrong.push(...faults);
const control = await drill({ isSynchronous: false });
const found = `the judge found ${control.faults.length} faults`;
say(`control, commits that wait for no standby: ${describeOutage(control.purchases)}; ${found}`);
if (!control.faults.some((fault) => fault.endsWith('was told, has 0 orders')))
	wrong.push(`the control was not caught: ${control.faults.join('; ') || 'no fault'}`);
endDrill(wrong);

async function drill({ isSynchronous }: { isSynchronous: boolean }) {
	const pair = await startPostgresPair({ isSynchronous });
	const outage = {
		...plan,
		async takeAway(countTold: () => number) {
			if (!isSynchronous) {
				await pair.stallStandby();
				const known = countTold();
				await untilTold(() => countTold() >= known + lagging);
			}
			await pair.killPrimary();
		},
		async bringBack() {
			await sleep(awayMs);
			await pair.promote();
		},
	};
	try {
		return await withServer(undefined, (server) => buyThroughOutage(server, outage), { DATABASE_URL: pair.url });
	} finally {
		await pair.stop();
	}
}
