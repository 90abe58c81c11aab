/**
 * Checkouts while the server is killed: 100 from 4 clients, during 10 kills (-9) of the process of the built server.
 * Every acknowledged order is stored with its account and its mail, and no order is incomplete.
 * Control: with the mail written after the commit, the same checks must find faults.
 *
 * `node scripts/resilience.mjs purchases [--short]`
 */
import { checkPurchases, type Verdict } from './support/purchase-checks.ts';
import { buyUnderKills, mailAfterCommit, type Plan, type Run, saleCommitted } from './support/purchases.ts';
import { finishTest, printLine } from './support/report.ts';
import { withServer } from './support/server.ts';
import { buildVariant, removeVariant } from './support/server-variant.ts';

const isShort = process.argv.includes('--short');
const plan: Plan = { purchases: 100, clients: 4, kills: 10, killAfterMs: [5, 60] };
const minKillsDuringRequest = 8;
const controlPlan: Plan = { purchases: 24, clients: 4, kills: 4, killAfterMs: [0, 0], killAtPrinted: saleCommitted };
const rounds = isShort ? 1 : 5;

const failures: string[] = [];
for (let round = 1; round <= rounds; round += 1) {
	// In the later rounds of the long form, a kill can fall on any moment of a checkout.
	const {
		run,
		faults,
		unacknowledgedButComplete: untoldButWhole,
	} = await runScenario(round === 1 ? plan : { ...plan, killAfterMs: [5, 300] });
	printLine(`round ${round}: ${describe(run)}; ${untoldButWhole} untold stand whole, ${faults.length} faults`);
	failures.push(...faults);
	if (run.killsDuringRequest < minKillsDuringRequest)
		failures.push(`only ${run.killsDuringRequest} kills fell between a request's first byte and its answer`);
}

const variant = await buildVariant('mail-after-commit', [mailAfterCommit]);
try {
	const { run, faults } = await runScenario(controlPlan, variant);
	printLine(`control, mail after the commit: ${describe(run)}; the judge found ${faults.length} faults`);
	const isSeen = faults.some((fault) => fault.endsWith('without a mail'));
	if (!isSeen) failures.push(`the control was not caught: ${faults.join('; ') || 'no fault'}`);
} finally {
	await removeVariant(variant);
}
finishTest(failures);

function runScenario(of: Plan, dist?: string): Promise<{ run: Run } & Verdict> {
	return withServer(dist, async (server) => {
		const run = await buyUnderKills(server, of);
		return { run, ...(await checkPurchases(server, run.purchases)) };
	});
}

function describe({ purchases, kills, killsDuringRequest: killsInTheAir }: Run): string {
	const count = (outcome: string) => purchases.filter((purchase) => purchase.outcome === outcome).length;
	const times = purchases.filter(({ outcome }) => outcome === 'told').map(({ ms }) => ms);
	const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
	return `${purchases.length} purchases, ${kills} kills, ${killsInTheAir} of them between first byte and answer; told ${count('told')}, not told ${count('not told')}, refused ${count('refused')}; median ${Math.round(median)} ms`;
}
