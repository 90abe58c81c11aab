/**
 * Two processes run on one PostgreSQL behind nginx while one after the other is killed (-9): 200 checkouts, 50 uploads
 * and 500 sign-ins run against both. The clients continue on the other process. What was acknowledged is stored: an
 * order completely, an upload byte for byte, and a session on either process; fsck finds no problem. Then each process
 * is stopped by SIGTERM and started again, as in an upgrade, while users read and sign in, and no request fails.
 * Control: with the mail of an order written after its commit, the same checks must find faults.
 *
 * `node scripts/resilience.mjs two-processes [--short]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerEmail, ownerPassword } from '../support/services/built-server.ts';
import { type Cluster, killOneProcessAtATime } from '../support/services/cluster.ts';
import { createClient, signInOwner } from '../support/services/server-client.ts';
import { type ParallelLoadPlan, startParallelLoad } from './support/parallel-load.ts';
import { checkPurchases } from './support/purchase-checks.ts';
import {
	buyUnderKills,
	describeRun,
	mailAfterCommit,
	type Plan,
	type Purchase,
	saleCommitted,
} from './support/purchases.ts';
import { checkControl, finishTest, isShort, printLine } from './support/report.ts';
import { withCluster } from './support/server.ts';
import { withVariant } from './support/server-variant.ts';

const plan: Plan = { purchases: isShort ? 40 : 200, clients: 4, kills: isShort ? 2 : 6, killAfterMs: [5, 200] };
const parallelLoadPlan: ParallelLoadPlan = isShort ? { uploads: 8, signIns: 80 } : { uploads: 50, signIns: 500 };
const controlPlan: Plan = { purchases: 12, clients: 4, kills: 2, killAfterMs: [0, 0], killAtPrinted: saleCommitted };

/**
 * The longest time between a kill and the start of a request that it may leave unanswered: a checkout takes at most
 * this long, and so does nginx to notice the end of a process.
 */
const detectedWithinMs = 2000;

const failures: string[] = [];
await withCluster({}, async (cluster) => {
	failures.push(...(await checkAddress(cluster)), ...(await killBetween(cluster)));
	failures.push(...(await restartOneByOne(cluster)));
});

const loseMails = async (cluster: Cluster) => {
	const victim = killOneProcessAtATime(cluster, () => cluster.whoPrinted(saleCommitted));
	const run = await buyUnderKills(victim, controlPlan);
	const { faults } = await checkPurchases(cluster, run.purchases);
	printLine(`control, mail after the commit: ${describeRun(run)}; the checks found ${faults.length} faults`);
	return faults;
};
const found = await withVariant('mail-after-commit', [mailAfterCommit], (dist) => withCluster({ dist }, loseMails));
finishTest([...failures, ...checkControl(found, /without a mail$/u)]);

/** Checks that neither nginx nor the product believes a forged X-Forwarded-For header. */
async function checkAddress(cluster: Cluster): Promise<string[]> {
	const client = createClient(cluster.url);
	const answer = await client.request('/api/sign-in', {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'x-forwarded-for': '198.51.100.7',
			forwarded: 'for=198.51.100.7',
			'x-real-ip': '198.51.100.7',
		},
		body: JSON.stringify({ email: ownerEmail, password: ownerPassword }),
	});
	if (answer.status !== 200) return [`the sign-in with a false address was answered with ${answer.status}`];
	const { items } = await client.get<{ items: Array<{ ip: string }> }>('/api/sessions');
	return items[0]?.ip === '127.0.0.1' ? [] : [`the session is of ${items[0]?.ip}, not of 127.0.0.1`];
}

async function killBetween(cluster: Cluster): Promise<string[]> {
	const faults: string[] = [];
	const victim = killOneProcessAtATime(cluster);
	const hits = { uploads: 0, signIns: 0 };
	const killedAt: number[] = [];
	const rush = await startParallelLoad(cluster, parallelLoadPlan);
	const watched = {
		...victim,
		async kill() {
			const { uploads, signIns } = rush.pending();
			if (uploads > 0) hits.uploads += 1;
			if (signIns > 0) hits.signIns += 1;
			await victim.kill();
			killedAt.push(performance.now());
		},
	};
	const run = await buyUnderKills(watched, plan);
	await rush.done;
	const verdict = await checkPurchases(cluster, run.purchases, rush.members);
	faults.push(...verdict.faults, ...(await rush.check(cluster.processes)));
	printLine(`${describeRun(run)}; ${verdict.unacknowledgedButComplete} unacknowledged but complete`);
	printLine(
		`beside them ${rush.describe()}; of the kills ${hits.uploads} fell into uploads, ${hits.signIns} into sign-ins`,
	);
	if (run.killsDuringRequest === 0) faults.push("no kill fell between a purchase's first byte and its answer");
	// These were sent to the killed process, or over an open connection to it before nginx noticed its end.
	const mayBeUnanswered = ({ endedAt, ms }: Purchase) =>
		killedAt.some((at) => Math.abs(endedAt - ms - at) < detectedWithinMs);
	const unexpected = run.purchases.filter((each) => each.outcome === 'unanswered' && !mayBeUnanswered(each));
	for (const { email } of unexpected) faults.push(`${email} was not answered, although the other process was there`);
	if (hits.uploads === 0) faults.push('no kill fell into an upload');
	if (hits.signIns === 0) faults.push('no kill fell into a sign-in');
	// The other process took over meanwhile, so no order may be refused.
	if (run.purchases.some(({ outcome }) => outcome === 'refused')) faults.push('a purchase was refused');
	return faults;
}

/** Stops and starts one process after the other while four clients read and sign in all the time. */
async function restartOneByOne(cluster: Cluster): Promise<string[]> {
	const statuses = new Map<string, number>();
	let isOver = false;
	const people = Array.from({ length: 4 }, async () => {
		const client = await signInOwner(cluster.url);
		while (!isOver) {
			const read = await client.request('/api/me').catch(() => null);
			await read?.arrayBuffer();
			const status = await createClient(cluster.url)
				.signIn(ownerEmail, ownerPassword)
				.catch(() => 'cut off');
			for (const [what, answer] of [
				['read', read?.status ?? 'cut off'],
				['sign-in', status],
			])
				statuses.set(`${what} ${answer}`, (statuses.get(`${what} ${answer}`) ?? 0) + 1);
		}
	});
	for (const process of cluster.processes) {
		const { code, ms } = await process.terminate();
		printLine(`stopped by SIGTERM in ${Math.round(ms)} ms with code ${code}, and started again`);
		await process.start();
		// This pause is short on purpose: when the next process stops, nginx still avoids this one and must use it
		// nevertheless.
		await sleep(300);
	}
	isOver = true;
	await Promise.all(people);
	const counts = [...statuses].map(([answer, count]) => `${count} × ${answer}`).join(', ');
	printLine(`meanwhile ${counts}`);
	const failed = [...statuses.keys()].filter((answer) => !answer.endsWith(' 200'));
	return failed.map((answer) => `while a process was being restarted: ${statuses.get(answer)} × ${answer}`);
}
