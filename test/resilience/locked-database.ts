/**
 * Another process locks the database for 10 s. Requests that must write are answered with 503 and Retry-After, the
 * event loop continues (checked from outside by /healthz), and everything works again without a restart.
 * Control: with a server that waits for the lock inside SQLite, /healthz must be found blocked.
 *
 * `node scripts/resilience.mjs locked-database [--short]`
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutPath } from '#contract/orders/checkout.ts';
import { checkoutForm } from '../support/app/http-client.ts';
import { type BuiltServer, ownerEmail, ownerPassword } from '../support/services/built-server.ts';
import { signInOwner } from '../support/services/server-client.ts';
import { finishTest, medianOf, printLine } from './support/report.ts';
import { checkFiles, withServer } from './support/server.ts';
import { type Rewrite, withVariant } from './support/server-variant.ts';

const lockedMs = 10_000;
/** Shorter than `lockedMs`, because the control blocks at the first write and its recovery is not measured. */
const controlLockedMs = 4000;
const longestLagMs = 100;
const writeEveryMs = 500;
const minRefusals = 6;
const recoveryMs = 3000;

interface Answer {
	what: string;
	status: number;
	retryAfter: string | null;
	ms: number;
	/** Whether it came while the other process still held the lock. */
	isDuringLock: boolean;
}

type UntimedAnswer = Omit<Answer, 'isDuringLock'>;

interface Outcome {
	answers: Answer[];
	/**
	 * How much slower /healthz is than a minimal server: the longest request after each write, and the median of these.
	 */
	lagMs: number;
	faults: string[];
}

const failures: string[] = [];
const { answers, lagMs, faults } = await runScenario(undefined, lockedMs);
const during = answers.filter(({ isDuringLock }) => isDuringLock);
printLine(
	`${during.length} writes answered while the database was locked: ${tally(during)}; afterwards: ${tally(answers.filter((answer) => !during.includes(answer)))}`,
);
printLine(`/healthz meanwhile: ${lagMs.toFixed(0)} ms more than a bare server beside it (median of the writes)`);
failures.push(...faults);
if (lagMs >= longestLagMs) failures.push(`the event loop stood still for ${lagMs.toFixed(0)} ms`);
const waitsInSqlite: Rewrite = {
	file: 'platform/database/sqlite-dialect.ts',
	find: /timeout: 5 \}/u,
	replace: 'timeout: 3000 }',
};
const control = await withVariant('waits-in-sqlite', [waitsInSqlite], (dist) => runScenario(dist, controlLockedMs));
printLine(`control, a server that waits inside SQLite: ${control.lagMs.toFixed(0)} ms`);
if (control.lagMs < longestLagMs) failures.push('the control was not caught');
finishTest(failures);

function runScenario(dist: string | undefined, holdMs: number): Promise<Outcome> {
	const work = async (server: BuiltServer) => {
		const owner = await signInOwner(server.url);
		const found: string[] = [];
		const lock = await lockDatabase(server, holdMs);
		const watch = watchHealth(server, lock.isHeld);
		const pending: Promise<Answer>[] = [];
		while (lock.isHeld()) {
			const kinds = [() => buy(server, pending.length), () => signIn(server), () => addFolder(server, owner.cookie())];
			const write = kinds[pending.length % kinds.length];
			if (write !== undefined)
				pending.push(write().then((answer) => ({ ...answer, isDuringLock: lock.isSurelyHeld() })));
			await sleep(writeEveryMs);
		}
		const all = await Promise.all(pending);
		const refused = all.filter(({ isDuringLock }) => isDuringLock);
		for (const { what, status, retryAfter } of refused) {
			if (status !== 503 || !(Number(retryAfter) > 0))
				found.push(`${what} was answered with ${status}, Retry-After ${retryAfter}`);
		}
		if (dist !== undefined) return { answers: all, lagMs: await watch, faults: found };
		if (refused.length < minRefusals) found.push(`only ${refused.length} writes were answered in time`);
		await sleep(recoveryMs);
		for (const answer of [await buy(server, 1000), await signIn(server), await addFolder(server, owner.cookie())]) {
			if (answer.status !== 200) found.push(`${answer.what} fails after the lock is gone: ${answer.status}`);
		}
		found.push(...(await checkFiles(server)));
		return { answers: all, lagMs: await watch, faults: found };
	};
	return withServer(dist, work, { LOG_LEVEL: 'fatal' });
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
	const child = spawn(process.execPath, ['--no-warnings', '-e', program, join(server.dataDir, 'folio.db')], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await new Promise((resolve) => child.stdout.once('data', resolve));
	const since = performance.now();
	return {
		isHeld: () => child.exitCode === null,
		/** Is false shortly before the end, so that an answer at the moment of the release does not count. */
		isSurelyHeld: () => performance.now() < since + holdMs - 500,
	};
}

/**
 * Requests /healthz and a minimal server alternately, so that a busy machine is not mistaken for a busy event loop.
 * @returns ms by which the longest request after a write exceeds the longest one to the minimal server, the median of
 * all writes
 */
async function watchHealth(server: BuiltServer, isOn: () => boolean): Promise<number> {
	const bare = await startMinimalServer();
	try {
		const since = performance.now();
		const looks: Array<{ write: number; ownMs: number; bareMs: number }> = [];
		for (let turn = 0; isOn(); turn += 1) {
			const write = Math.floor((performance.now() - since) / writeEveryMs);
			// The first request of a pair finds the machine in another state, so the order alternates.
			const isOwnFirst = turn % 2 === 0;
			const firstMs = await measureHealthMs(isOwnFirst ? `${server.url}/healthz` : bare.url);
			const secondMs = await measureHealthMs(isOwnFirst ? bare.url : `${server.url}/healthz`);
			const [ownMs, bareMs] = isOwnFirst ? [firstMs, secondMs] : [secondMs, firstMs];
			looks.push({ write, ownMs, bareMs });
			await sleep(20);
		}
		const lags = [...Map.groupBy(looks, ({ write }) => write).values()].map(
			(some) => Math.max(...some.map(({ ownMs }) => ownMs)) - Math.max(...some.map(({ bareMs }) => bareMs)),
		);
		return medianOf(lags);
	} finally {
		bare.close();
	}
}

async function measureHealthMs(url: string): Promise<number> {
	const startedAt = performance.now();
	await (await fetch(url)).arrayBuffer();
	return performance.now() - startedAt;
}

async function startMinimalServer(): Promise<{ url: string; close(): void }> {
	const program = `require('node:http').createServer((q, r) => r.end('ok')).listen(0, '127.0.0.1', function () { console.log(this.address().port); })`;
	const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
	process.once('exit', () => child.kill());
	const port = await new Promise<string>((resolve) =>
		child.stdout.once('data', (data: Buffer) => resolve(String(data).trim())),
	);
	return { url: `http://127.0.0.1:${port}/`, close: () => child.kill() };
}

async function timed(what: string, request: Promise<Response>): Promise<UntimedAnswer> {
	const startedAt = performance.now();
	const answer = await request;
	await answer.arrayBuffer();
	return {
		what,
		status: answer.status,
		retryAfter: answer.headers.get('retry-after'),
		ms: performance.now() - startedAt,
	};
}

function buy(server: BuiltServer, number: number): Promise<UntimedAnswer> {
	const { headers, body } = checkoutForm(`locked-${number}@example.com`);
	const sent = { method: 'POST', headers, body: new Uint8Array(body) };
	return timed('a purchase', fetch(server.url + checkoutPath, sent));
}

function signIn(server: BuiltServer): Promise<UntimedAnswer> {
	const body = JSON.stringify({ email: ownerEmail, password: ownerPassword });
	const headers = { 'content-type': 'application/json' };
	return timed('a sign-in', fetch(`${server.url}/api/sign-in`, { method: 'POST', headers, body }));
}

function addFolder(server: BuiltServer, cookie: string): Promise<UntimedAnswer> {
	const body = JSON.stringify({ path: '', name: `folder ${Math.random()}` });
	const headers = { 'content-type': 'application/json', cookie };
	return timed('a new folder', fetch(`${server.url}/api/spaces/guest/folders`, { method: 'POST', headers, body }));
}

function tally(answers: Answer[]): string {
	const counts = Map.groupBy(answers, ({ status }) => status);
	return [...counts].map(([status, list]) => `${list.length} × ${status}`).join(', ');
}
