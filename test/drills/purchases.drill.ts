/**
 * Purchases while the server is killed: 100 from 4 clients, 10 kills (-9) of the built server's own process. Every order
 * that a client was told of is there with its login and its mail; none stands by halves.
 * Control: with the mail written after the commit, the same judge must find fault.
 *
 * `node scripts/drill.mjs purchases [--short]`
 */
import { judgePurchases, type Verdict } from './support/purchase-judge.ts';
import { buyUnderKills, mailAfterCommit, type Plan, type Run, saleCommitted } from './support/purchasing.ts';
import { endDrill, say } from './support/report.ts';
import { withServer } from './support/server.ts';
import { buildVariant, removeVariant } from './support/variant.ts';

const isShort = process.argv.includes('--short');
const plan: Plan = { purchases: 100, clients: 4, kills: 10, killAfterMs: [5, 60] };
const leastKillsInTheAir = 8;
const controlPlan: Plan = { purchases: 24, clients: 4, kills: 4, killAfterMs: [0, 0], killAtPrinted: saleCommitted };
const rounds = isShort ? 1 : 5;

const wrong: string[] = [];
for (let round = 1; round <= rounds; round += 1) {
	// The later rounds of the long form aim at the whole length of a purchase.
	const { run, faults, untoldButWhole } = await drill(round === 1 ? plan : { ...plan, killAfterMs: [5, 300] });
	say(`round ${round}: ${describe(run)}; ${untoldButWhole} untold stand whole, ${faults.length} faults`);
	wrong.push(...faults);
	if (run.killsInTheAir < leastKillsInTheAir)
		wrong.push(`only ${run.killsInTheAir} kills fell between a request's first byte and its answer`);
}

const variant = await buildVariant('mail-after-commit', [mailAfterCommit]);
try {
	const { run, faults } = await drill(controlPlan, variant);
	say(`control, mail after the commit: ${describe(run)}; the judge found ${faults.length} faults`);
	const isSeen = faults.some((fault) => fault.endsWith('without a mail'));
	if (!isSeen) wrong.push(`the control was not caught: ${faults.join('; ') || 'no fault'}`);
} finally {
	await removeVariant(variant);
}
endDrill(wrong);

function drill(of: Plan, dist?: string): Promise<{ run: Run } & Verdict> {
	return withServer(dist, async (server) => {
		const run = await buyUnderKills(server, of);
		return { run, ...(await judgePurchases(server, run.purchases)) };
	});
}

function describe({ purchases, kills, killsInTheAir }: Run): string {
	const count = (outcome: string) => purchases.filter((purchase) => purchase.outcome === outcome).length;
	const times = purchases.filter(({ outcome }) => outcome === 'told').map(({ ms }) => ms);
	const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
	return `${purchases.length} purchases, ${kills} kills, ${killsInTheAir} of them between first byte and answer; told ${count('told')}, not told ${count('not told')}, refused ${count('refused')}; median ${Math.round(median)} ms`;
}
