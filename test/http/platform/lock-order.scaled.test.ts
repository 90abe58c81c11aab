import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DatabaseError, PoolClient } from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { importLogins } from '#server/features/accounts/import/login-import.ts';
import { findUserByEmailKeyForUpdate } from '#server/features/accounts/users/users.queries.ts';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { publishedLogin } from '../../support/fixtures/imported-logins.ts';
import { disableOrderMails } from '../../support/fixtures/orders.ts';
import { prepareWritingCalls } from '../../support/fixtures/writing-calls.ts';

/**
 * Runs writing calls against each other on PostgreSQL. The short run takes some of the calls, eight at a time; with
 * `FOLIO_LOCK_ORDER=long` each call runs alone, with itself and with each other call. `-t 'upload a batch'` runs only
 * the rounds with this call.
 */
const { testApp, deps, admin, adminId } = await openTestApp({ RATE_LIMIT_FACTOR: '100000' });
await disableOrderMails(deps);
const { calls, createObjects, getClients, runJobs } = prepareWritingCalls({ testApp, deps, admin, adminId });

/** Deadlocks as PostgreSQL reported them, also those after which a transaction was repeated. */
const deadlocks: string[] = [];
let isSlow = false;
const queryDelayMs = 8;
/** The calls of a round start within this time, because some do much before their transaction. */
const startWithinMs = 100;

/** Makes the transactions of a round overlap, and records deadlocks. */
function watchQueries(): void {
	deps.db = deps.db.withPlugin({
		transformQuery: ({ node }) => node,
		async transformResult({ result }) {
			if (isSlow && Math.random() < 0.5) await sleep(Math.random() * queryDelayMs);
			return result;
		},
	});
	const watched = new WeakSet<PoolClient>();
	deps.connection.pool?.on('acquire', (client) => {
		if (watched.has(client)) return;
		watched.add(client);
		const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
		client.query = ((...parameters: unknown[]) => {
			const answer = send(...parameters);
			if (answer instanceof Promise)
				answer.catch(({ code, detail, where }: DatabaseError) => {
					if (code === '40P01') deadlocks.push([parameters[0], detail, where].join('\n'));
				});
			return answer;
		}) as typeof client.query;
	});
}

/** Returns rounds of calls, in which each two calls, also twice the same, run together at least once. */
function coverPairs(names: readonly string[], callsPerRound: number): string[][] {
	const keyOf = (one: string, two: string) => [one, two].sort().join('|');
	const open = new Map(names.flatMap((one) => names.map((two) => [keyOf(one, two), [one, two] as [string, string]])));
	const rounds: string[][] = [];
	for (const pair of open.values()) {
		const round: string[] = [...pair];
		const gainOf = (name: string) => round.filter((other) => open.has(keyOf(name, other))).length;
		while (round.length < callsPerRound) {
			const others = names.filter((name) => !round.includes(name));
			round.push(others.reduce((best, name) => (gainOf(name) > gainOf(best) ? name : best)));
		}
		for (const [index, one] of round.entries()) for (const two of round.slice(index + 1)) open.delete(keyOf(one, two));
		rounds.push(round);
	}
	return rounds;
}

/** Runs calls at the same moment. @returns the failed calls, and the deadlocks */
async function runRound(names: readonly string[]): Promise<string[]> {
	const objects = await createObjects();
	const clients = getClients();
	const deadlocksBefore = deadlocks.length;
	isSlow = true;
	const answers = await Promise.all(
		names.map(async (name, index) => {
			await sleep(Math.random() * startWithinMs);
			const answer = await calls[name]?.(objects, clients[index % 2] ?? admin).catch(String);
			return `${name}: ${typeof answer === 'string' ? answer : (answer?.statusCode ?? 200)}`;
		}),
	);
	isSlow = false;
	const failed = answers.filter((answer) => !/: [234]\d\d$/u.test(answer));
	return [...failed, ...deadlocks.slice(deadlocksBefore)];
}

/** The calls of the short run: one or two of each kind. The other calls lock similar rows. */
const shortCalls = [
	...['delete the user', 'delete the admin who writes', 'deactivate several', 'import users', 'sign in'],
	...['set the password by a link', 'give the book to several', 'mail logins to several', 'add to the group'],
	...['delete the group', 'buy again', 'buy with the same reference', 'send a further proof', 'complete orders'],
	...['correct the address of an unused account to a known one', 'delete the order', 'upload a batch'],
	...['move the folder', 'delete the folder', 'share with several', 'unshare', 'send a message'],
	...['delete the messages', 'save the storefront', 'run jobs', 'send mails'],
];
/** In a round with other calls, the deletion is mostly done before the batch of files is stored. */
const slowPair = ['upload a batch', 'delete the user'];
const isLong = process.env.FOLIO_LOCK_ORDER === 'long';
const rounds = isLong ? coverPairs(Object.keys(calls), 2) : [...coverPairs(shortCalls, 8), slowPair];
const runsOf = (names: readonly string[]) => (isLong ? 3 : names === slowPair ? 10 : 2);

describe('writing calls on the same objects', () => {
	test.each(isLong ? Object.entries(calls) : [])('succeed alone: %s', async (_name, send) => {
		const answer = await send(await createObjects(), admin);
		expect(answer?.statusCode ?? 200).toBeLessThan(400);
	});

	beforeAll(watchQueries);

	test.each(rounds.map((names) => [names.join(', '), names] as const))(
		'neither deadlock nor fail with a server error: %s',
		async (_title, names) => {
			for (let run = 0; run < runsOf(names); run += 1) expect(await runRound(names)).toEqual([]);
		},
	);

	test('lock a user before the imported login that becomes its password', async () => {
		const { config, hash: passwordHash, salt, password } = publishedLogin;
		const email = 'imported@example.com';
		await importLogins(deps, JSON.stringify({ hash_config: config, users: [{ email, passwordHash, salt }] }));
		await createHttpClient(testApp.app).call('POST', '/api/password/request-reset', { email });
		await runJobs(Number.POSITIVE_INFINITY);
		// Not `inTransaction`, in which the sign-in could begin no transaction.
		const { signIn } = await deps.db.transaction().execute(async (tx) => {
			await findUserByEmailKeyForUpdate(tx, email);
			const call = createHttpClient(testApp.app).call('POST', '/api/sign-in', { email, password });
			const waiting = sql`select 1 from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'`;
			await vi.waitUntil(async () => (await waiting.execute(deps.db)).rows.length > 0, { timeout: 10_000 });
			const login = tx.selectFrom('imported_logins').select('email').where('email_key', '=', email);
			expect(await login.forUpdate().noWait().execute()).toEqual([{ email }]);
			return { signIn: call };
		});
		expect((await signIn).statusCode).toBe(200);
	});

	test('leave consistent data', async () => {
		await runJobs(Number.POSITIVE_INFINITY);
		expect((await checkIntegrity(deps)).problems).toEqual([]);
		const owners = new Set(['guest', 'book', ...(await findRows(deps, 'users')).map(({ id }) => id)]);
		expect((await findRows(deps, 'spaces')).filter(({ owner_id }) => !owners.has(owner_id))).toEqual([]);
	});
});
