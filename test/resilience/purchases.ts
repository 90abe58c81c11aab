/**
 * Checkouts while the server is killed: 100 from 4 clients, during 10 kills (-9) of the process of the built server.
 * Every acknowledged order is stored with its account and its mail, and no order is incomplete.
 * Control: with the mail written after the commit, the same checks must find faults.
 */
import { checkPurchases } from './support/purchase-checks.ts';
import {
	buyUnderKills,
	describeRun,
	mailAfterCommit,
	type Plan,
	type Run,
	saleCommitted,
} from './support/purchases.ts';
import { finishTest, isShort, medianOf, printLine } from './support/report.ts';
import { openServer } from './support/server.ts';
import { runControl } from './support/server-variant.ts';

const plan: Plan = { purchases: 100, clients: 4, kills: 10, killAfterMs: [5, 60] };
const minKillsDuringRequest = 8;
const controlPlan: Plan = { purchases: 24, clients: 4, kills: 4, killAfterMs: [0, 0], killAtPrinted: saleCommitted };
const rounds = isShort ? 1 : 5;

const failures: string[] = [];
for (let round = 1; round <= rounds; round += 1) {
	// In the later rounds of the long form, a kill can happen at any time during a checkout.
	const roundPlan: Plan = round === 1 ? plan : { ...plan, killAfterMs: [5, 300] };
	const { run, faults, unacknowledgedButComplete } = await runScenario(roundPlan);
	printLine(
		`round ${round}: ${describe(run)}; ${unacknowledgedButComplete} unacknowledged but complete, ${faults.length} faults`,
	);
	failures.push(...faults);
	if (run.killsDuringRequest < minKillsDuringRequest)
		failures.push(`only ${run.killsDuringRequest} kills happened between a request's first byte and its answer`);
}

const control = async (dist: string) => (await runScenario(controlPlan, dist)).faults;
failures.push(...(await runControl('mail-after-commit', [mailAfterCommit], control, /without a mail$/u)));
finishTest(failures);

async function runScenario(scenario: Plan, dist?: string) {
	await using server = await openServer(dist);
	const run = await buyUnderKills(server, scenario);
	return { run, ...(await checkPurchases(server, run.purchases)) };
}

function describe(run: Run): string {
	const times = run.purchases.filter(({ outcome }) => outcome === 'acknowledged').map(({ ms }) => ms);
	return `${describeRun(run)}; median ${Math.round(medianOf(times))} ms`;
}
