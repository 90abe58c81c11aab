/**
 * Two processes run on one PostgreSQL behind nginx, and are killed (-9) in turn during 200 checkouts, 50 uploads and
 * 500 sign-ins. The clients continue on the other process. Each acknowledged order is stored completely,
 * each acknowledged upload has all bytes, each session is valid on both processes, and fsck finds no problem. Then each
 * process is stopped by SIGTERM and started again, as in an upgrade, while users read and sign in, and no request
 * fails.
 * Control: with the mail of an order written after its commit, the same checks must find faults.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerEmail, ownerPassword } from '../support/services/built-server.ts';
import { type Cluster, killOneProcessAtATime } from '../support/services/cluster.ts';
import { createClient, signInOwner } from '../support/services/server-client.ts';
import { startParallelLoad } from './support/parallel-load.ts';
import { checkPurchases } from './support/purchase-checks.ts';
import {
	buyUnderKills,
	describeRun,
	mailAfterCommit,
	type Plan,
	type Purchase,
	saleCommitted,
} from './support/purchases.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { openCluster } from './support/server.ts';
import { runControl } from './support/server-variant.ts';

const plan: Plan = { purchases: isShort ? 40 : 200, clients: 4, kills: isShort ? 2 : 6, killAfterMs: [5, 200] };
const parallelLoadPlan = isShort ? { uploads: 8, signIns: 80 } : { uploads: 50, signIns: 500 };
const controlPlan: Plan = { purchases: 12, clients: 4, kills: 2, killAfterMs: [0, 0], killAtPrinted: saleCommitted };

/**
 * A request that was under way within this time of a kill may stay unanswered, because nginx notices the end of a process
 * late.
 */
const detectedWithinMs = 2000;

const failures: string[] = [];
{
	await using cluster = await openCluster();
	failures.push(...(await checkAddress(cluster)), ...(await killDuringLoad(cluster)));
	failures.push(...(await restartOneByOne(cluster)));
}

const control = async (dist: string) => {
	await using cluster = await openCluster(dist);
	const oneProcess = killOneProcessAtATime(cluster, () => cluster.whoPrinted(saleCommitted));
	const run = await buyUnderKills(oneProcess, controlPlan);
	return (await checkPurchases(cluster, run.purchases)).faults;
};
failures.push(...(await runControl('mail-after-commit', [mailAfterCommit], control, /without a mail$/u)));
finishTest(failures);

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
	if (answer.status !== 200) return [`the sign-in with a forged address was answered with ${answer.status}`];
	const { items } = await client.get<{ items: Array<{ ip: string }> }>('/api/sessions');
	return items[0]?.ip === '127.0.0.1' ? [] : [`the session has the address ${items[0]?.ip}, not 127.0.0.1`];
}

async function killDuringLoad(cluster: Cluster): Promise<string[]> {
	const faults: string[] = [];
	const oneProcess = killOneProcessAtATime(cluster);
	const killsDuring = { uploads: 0, signIns: 0 };
	const killedAt: number[] = [];
	const load = await startParallelLoad(cluster, parallelLoadPlan);
	const watched = {
		...oneProcess,
		async kill() {
			const { uploads, signIns } = load.pending();
			if (uploads > 0) killsDuring.uploads += 1;
			if (signIns > 0) killsDuring.signIns += 1;
			await oneProcess.kill();
			killedAt.push(performance.now());
		},
	};
	const run = await buyUnderKills(watched, plan);
	await load.done;
	const verdict = await checkPurchases(cluster, run.purchases, load.members);
	faults.push(...verdict.faults, ...(await load.check(cluster.processes)));
	printLine(`${describeRun(run)}; ${verdict.unacknowledgedButComplete} unacknowledged but complete`);
	printLine(
		`meanwhile ${load.describe()}; ${killsDuring.uploads} kills during uploads, ${killsDuring.signIns} during sign-ins`,
	);
	if (run.killsDuringRequest === 0) faults.push("no kill happened between a purchase's first byte and its answer");
	// These requests may have been sent to the killed process before nginx noticed its end.
	const mayBeUnanswered = ({ endedAt, ms }: Purchase) =>
		killedAt.some((at) => endedAt - ms < at + detectedWithinMs && endedAt > at - detectedWithinMs);
	const unexpected = run.purchases.filter(
		(purchase) => purchase.outcome === 'unanswered' && !mayBeUnanswered(purchase),
	);
	for (const { email } of unexpected) faults.push(`${email} was not answered, although the other process was running`);
	if (killsDuring.uploads === 0) faults.push('no kill happened during an upload');
	if (killsDuring.signIns === 0) faults.push('no kill happened during a sign-in');
	// While one process is down, the other one responds, so no order may be refused.
	if (run.purchases.some(({ outcome }) => outcome === 'refused')) faults.push('a purchase was refused');
	return faults;
}

/** Restarts one process after the other while four clients read and sign in. */
async function restartOneByOne(cluster: Cluster): Promise<string[]> {
	const statuses = new Map<string, number>();
	let isOver = false;
	const clients = Array.from({ length: 4 }, async () => {
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
		// The pause is short: nginx may still avoid the restarted process when the next one stops, and must use it anyway.
		await sleep(300);
	}
	isOver = true;
	await Promise.all(clients);
	const counts = [...statuses].map(([answer, count]) => `${count} × ${answer}`).join(', ');
	printLine(`meanwhile ${counts}`);
	const failed = [...statuses.keys()].filter((answer) => !answer.endsWith(' 200'));
	return failed.map((answer) => `while a process was being restarted: ${statuses.get(answer)} × ${answer}`);
}
