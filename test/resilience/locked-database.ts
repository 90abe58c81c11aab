/**
 * Another process locks the database for 10 s. Requests that must write are answered with 503 and Retry-After, the
 * event loop continues (requests to /healthz show it), and afterwards everything works without a restart.
 * Control: with a server that waits for the lock inside SQLite, the checks must find that /healthz is blocked.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, ownerEmail, ownerPassword } from '../support/services/built-server.ts';
import { type Client, createClient, signInOwner } from '../support/services/server-client.ts';
import { sendCheckout } from './support/purchases.ts';
import { finishTest, medianOf, printLine } from './support/report.ts';
import { checkFiles, openServer } from './support/server.ts';
import { type Rewrite, withVariant } from './support/server-variant.ts';

const lockedMs = 10_000;
/** Shorter than `lockedMs`, because the control blocks at the first write and measures nothing afterwards. */
const controlLockedMs = 4000;
const longestLagMs = 100;
const writeEveryMs = 500;
const minRefusals = 6;
const recoveryMs = 3000;

type Answer = Awaited<ReturnType<typeof post>>;

const failures: string[] = [];
const { answers, lagMs, faults } = await runScenario(undefined, lockedMs);
const during = answers.filter(({ isDuringLock }) => isDuringLock);
printLine(
	`${during.length} writes answered while the database was locked: ${tally(during)}; afterwards: ${tally(answers.filter((answer) => !during.includes(answer)))}`,
);
printLine(`/healthz meanwhile: ${lagMs.toFixed(0)} ms more than a minimal server beside it (median of the writes)`);
failures.push(...faults);
if (lagMs >= longestLagMs) failures.push(`the event loop was blocked for ${lagMs.toFixed(0)} ms`);
const waitsInSqlite: Rewrite = {
	file: 'platform/database/sqlite-dialect.ts',
	find: /timeout: 5 \}/u,
	replace: 'timeout: 3000 }',
};
const control = await withVariant('waits-in-sqlite', [waitsInSqlite], (dist) => runScenario(dist, controlLockedMs));
printLine(`control, a server that waits inside SQLite: ${control.lagMs.toFixed(0)} ms`);
if (control.lagMs < longestLagMs) failures.push('the control was not blocked');
finishTest(failures);

async function runScenario(dist: string | undefined, holdMs: number) {
	await using server = await openServer(dist, { LOG_LEVEL: 'fatal' });
	const owner = await signInOwner(server.url);
	const faults: string[] = [];
	const lock = await lockDatabase(server, holdMs);
	const watch = watchHealth(server, lock.isHeld);
	/** `isDuringLock`: whether the answer arrived while the other process still held the lock. */
	const record = async (write: Promise<Answer>) => ({ ...(await write), isDuringLock: lock.isSurelyHeld() });
	const pending: Array<ReturnType<typeof record>> = [];
	const kinds = [(number: number) => buy(server, number), () => signIn(server), () => addFolder(owner)];
	while (lock.isHeld()) {
		pending.push(record(kinds[pending.length % kinds.length]?.(pending.length) as Promise<Answer>));
		await sleep(writeEveryMs);
	}
	const all = await Promise.all(pending);
	const refused = all.filter(({ isDuringLock }) => isDuringLock);
	for (const { what, status, retryAfter } of refused) {
		if (status !== 503 || !(Number(retryAfter) > 0))
			faults.push(`${what} was answered with ${status}, Retry-After ${retryAfter}`);
	}
	if (dist !== undefined) return { answers: all, lagMs: await watch, faults };
	if (refused.length < minRefusals) faults.push(`only ${refused.length} writes were answered in time`);
	await sleep(recoveryMs);
	for (const kind of kinds) {
		const { what, status } = await kind(1000);
		if (status !== 200) faults.push(`${what} was answered with ${status} after the lock was released`);
	}
	faults.push(...(await checkFiles(server)));
	return { answers: all, lagMs: await watch, faults };
}

/** Starts another process that locks the database by `BEGIN EXCLUSIVE` for `holdMs`. */
async function lockDatabase(server: BuiltServer, holdMs: number) {
	const program = `
		const { DatabaseSync } = require('node:sqlite');
		const db = new DatabaseSync(process.argv[1], { timeout: 5000 });
		db.exec('begin exclusive');
		console.log('held');
		setTimeout(() => { db.exec('rollback'); db.close(); }, ${holdMs});
	`;
	const { child } = await startScript(program, join(server.dataDir, 'folio.db'));
	const since = performance.now();
	return {
		isHeld: () => child.exitCode === null,
		/** False in the last 500 ms of the lock, so that an answer at the moment of the release does not count. */
		isSurelyHeld: () => performance.now() < since + holdMs - 500,
	};
}

/**
 * Requests /healthz and a minimal server alternately, so that a busy machine is not mistaken for a busy event loop.
 * @returns by how many ms the slowest request to /healthz exceeds the slowest request to the minimal server between two
 * writes; the median over all writes
 */
async function watchHealth(server: BuiltServer, isLocked: () => boolean): Promise<number> {
	using minimal = await startMinimalServer();
	const since = performance.now();
	const samples: Array<{ write: number; ownMs: number; minimalMs: number }> = [];
	for (let turn = 0; isLocked(); turn += 1) {
		const write = Math.floor((performance.now() - since) / writeEveryMs);
		// The first request of a pair may be slower than the second, so the order alternates.
		const isOwnFirst = turn % 2 === 0;
		const firstMs = await measureHealthMs(isOwnFirst ? `${server.url}/healthz` : minimal.url);
		const secondMs = await measureHealthMs(isOwnFirst ? minimal.url : `${server.url}/healthz`);
		const [ownMs, minimalMs] = isOwnFirst ? [firstMs, secondMs] : [secondMs, firstMs];
		samples.push({ write, ownMs, minimalMs });
		await sleep(20);
	}
	const lags = [...Map.groupBy(samples, ({ write }) => write).values()].map(
		(group) => Math.max(...group.map(({ ownMs }) => ownMs)) - Math.max(...group.map(({ minimalMs }) => minimalMs)),
	);
	return medianOf(lags);
}

async function measureHealthMs(url: string): Promise<number> {
	const startedAt = performance.now();
	await (await fetch(url)).arrayBuffer();
	return performance.now() - startedAt;
}

async function startMinimalServer(): Promise<{ url: string } & Disposable> {
	const program = `require('node:http').createServer((q, r) => r.end('ok')).listen(0, '127.0.0.1', function () { console.log(this.address().port); })`;
	const { child, line } = await startScript(program);
	process.once('exit', () => child.kill());
	return { url: `http://127.0.0.1:${line}/`, [Symbol.dispose]: () => void child.kill() };
}

async function startScript(program: string, ...args: string[]) {
	const child = spawn(process.execPath, ['--no-warnings', '-e', program, ...args], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(child.stdout, 'data');
	return { child, line: String(line).trim() };
}

async function buy(server: BuiltServer, number: number): Promise<Answer> {
	return { what: 'a purchase', ...(await sendCheckout(server, `locked-${number}@example.com`)) };
}

async function post(what: string, client: Client, path: string, body: object) {
	const headers = { 'content-type': 'application/json' };
	const answer = await client.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
	await answer.arrayBuffer();
	return { what, status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

function signIn(server: BuiltServer): Promise<Answer> {
	return post('a sign-in', createClient(server.url), '/api/sign-in', { email: ownerEmail, password: ownerPassword });
}

function addFolder(owner: Client): Promise<Answer> {
	return post('a new folder', owner, '/api/spaces/guest/folders', { path: '', name: `folder ${Math.random()}` });
}

function tally(answers: Answer[]): string {
	const counts = Map.groupBy(answers, ({ status }) => status);
	return [...counts].map(([status, list]) => `${list.length} × ${status}`).join(', ');
}
