/**
 * The disk reports errors of fsync and fdatasync, by strace, while clients buy. While every sync fails, no purchase is
 * acknowledged. While some syncs fail, every acknowledged order is stored with its account and its mail, and no order is
 * incomplete, also after the server was killed. When the disk works again, purchases work without a restart.
 * Control: a server that does not sync acknowledges purchases while every sync fails.
 * Needs root and strace, and runs by name only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BuiltServer } from '../support/services/built-server.ts';
import { checkPurchases } from './support/purchase-checks.ts';
import { buy, describePurchases, newPurchase, type Purchase } from './support/purchases.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';

const clients = 4;
const plan = { whileAllFail: 12, whileSomeFail: isShort ? 60 : 400, afterwards: 8 };
/** The answer to a purchase that cannot be stored, with the specified text. */
const failedStatus = 500;

const withoutSync: Rewrite[] = [
	{
		file: 'platform/database/sqlite-dialect.ts',
		find: /pragma synchronous = full/u,
		replace: 'pragma synchronous = off',
	},
	{
		file: 'platform/storage/disk/disk-storage.ts',
		find: /await handle\.sync\(\)\.finally\(\(\) => handle\.close\(\)\);/u,
		replace: 'await handle.close();',
	},
	{
		file: 'platform/storage/disk/disk-storage.ts',
		find: /await writeFile\(staged, bytes, \{ flag: 'wx', flush: true \}\);/u,
		replace: "await writeFile(staged, bytes, { flag: 'wx' });",
	},
];

const failures: string[] = await runScenario();
failures.push(...(await runControl('without-sync', withoutSync, buyWhileAllFail, /while every sync failed$/u)));
finishTest(failures);

async function runScenario(): Promise<string[]> {
	await using server = await openServer();
	const purchases: Purchase[] = [];
	const faults = await findAcknowledged(server, purchases);
	const before = purchases.length;
	{
		await using _faults = await failSyncs(server, '3+7');
		await buyMany(server, purchases, plan.whileSomeFail);
	}
	printLine(`some syncs fail: ${describePurchases(purchases.slice(before))}`);
	const outcomes = new Set(purchases.slice(before).map(({ outcome }) => outcome));
	for (const outcome of ['acknowledged', 'refused'] as const)
		if (!outcomes.has(outcome)) faults.push(`no purchase was ${outcome} while some syncs failed`);
	await buyMany(server, purchases, plan.afterwards);
	for (const { email, outcome } of purchases.slice(-plan.afterwards))
		if (outcome !== 'acknowledged') faults.push(`${email} was not acknowledged when the disk worked again`);
	await server.kill();
	await server.start();
	return [...faults, ...(await checkPurchases(server, purchases, [], [failedStatus])).faults];
}

async function buyWhileAllFail(dist: string): Promise<string[]> {
	await using server = await openServer(dist);
	return await findAcknowledged(server, []);
}

/** Buys while every sync fails. @returns a fault for each acknowledged purchase */
async function findAcknowledged(server: BuiltServer, purchases: Purchase[]): Promise<string[]> {
	await using _faults = await failSyncs(server, '1+');
	await buyMany(server, purchases, plan.whileAllFail);
	printLine(`every sync fails: ${describePurchases(purchases)}`);
	const acknowledged = purchases.filter(({ outcome }) => outcome === 'acknowledged');
	return acknowledged.map(({ email }) => `${email} was acknowledged while every sync failed`);
}

async function buyMany(server: BuiltServer, purchases: Purchase[], count: number): Promise<void> {
	const last = purchases.length + count;
	const buyUntilLast = async () => {
		while (purchases.length < last) {
			const purchase = newPurchase(purchases.length + 1);
			purchases.push(purchase);
			await buy(server, purchase, () => {});
		}
	};
	await Promise.all(Array.from({ length: clients }, buyUntilLast));
}

/** Lets syncs of the server fail until the result is disposed. `when`: which of them, as in strace(1). */
async function failSyncs(server: BuiltServer, when: string): Promise<AsyncDisposable> {
	const calls = 'fsync,fdatasync';
	const options = ['-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO:when=${when}`];
	const strace = spawn('strace', [...options, '-p', String(server.pid())], { stdio: ['ignore', 'ignore', 'pipe'] });
	const printed = String(...(await once(strace.stderr, 'data')));
	if (!printed.includes('attached')) throw new Error(`This resilience test needs strace and root: ${printed}`);
	return {
		async [Symbol.asyncDispose]() {
			strace.kill('SIGINT');
			if (strace.exitCode === null && strace.signalCode === null) await once(strace, 'exit');
		},
	};
}
