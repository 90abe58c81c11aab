import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { type Bus, type BusMessage, createLocalBus } from '#server/platform/realtime/bus.ts';
import { createPostgresBus } from '#server/platform/realtime/postgres-bus.ts';
import { createPostgresDatabase, type TestDatabase, testDatabase } from '../support/postgres.ts';
import { openSilentLine } from '../support/silent-line.ts';

/** A message that carries a text of any length. */
function saying(userId: string): BusMessage {
	return { kind: 'ended', ended: { userId, reason: 'logout' } };
}

function heardBy(bus: Bus): BusMessage[] {
	const heard: BusMessage[] = [];
	bus.subscribe((message) => heard.push(message));
	return heard;
}

test('the bus of one process tells everybody there at once, until it is closed', async () => {
	const bus = createLocalBus();
	const heard = heardBy(bus);
	bus.publish(saying('meera'));
	bus.publishHere({ kind: 'resync' });
	expect(heard).toEqual([saying('meera'), { kind: 'resync' }]);
	await bus.close();
	bus.publish(saying('nobody'));
	expect(heard).toHaveLength(2);
});

if (testDatabase === 'postgres') {
	describe('the bus between processes', () => {
		const log = createLog('silent');
		/** Only where a dead connection is to be found out: a busy machine may take longer for an answer of a living one. */
		const quickProbe = { probeEveryMs: 100, answerWithinMs: 3000 };
		let database: TestDatabase;
		let buses: Bus[];

		beforeEach(async () => {
			database = await createPostgresDatabase('empty');
			buses = [];
		});
		afterEach(async () => {
			await Promise.all(buses.map((bus) => bus.close()));
			await database.drop();
		});

		async function open(url = database.url, timing = {}): Promise<Bus> {
			const bus = await createPostgresBus(url, log, timing);
			buses.push(bus);
			return bus;
		}

		async function ask(statement: string): Promise<unknown[]> {
			const client = new pg.Client({ connectionString: database.url });
			await client.connect();
			const { rows } = await client.query(statement);
			await client.end();
			return rows;
		}

		test('carries 10,000 letters of three bytes, and what was said after them', async () => {
			const [one, other] = [await open(), await open()];
			const own = heardBy(one);
			const heard = heardBy(other);
			const long = saying('क'.repeat(10_000));
			for (const message of [saying('first'), long, saying('last')]) one.publish(message);
			await expect.poll(() => heard).toEqual([saying('first'), long, saying('last')]);
			expect(own).toEqual([saying('first'), long, saying('last')]);
		});

		test('keeps the order of a thousand messages, short and long', async () => {
			const [one, other] = [await open(), await open()];
			const heard = heardBy(other);
			const said = Array.from({ length: 1000 }, (_, at) => saying(`${at} ${'ख'.repeat(at % 50 === 0 ? 9000 : 5)}`));
			for (const message of said) one.publish(message);
			await expect.poll(() => heard.length).toBe(1000);
			expect(heard).toEqual(said);
		});

		test('what can never be told keeps nothing else waiting: the others look at everything instead', async () => {
			const name = `latin_${Date.now()}`;
			await ask(`create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
			const url = new URL(database.url);
			url.pathname = `/${name}`;
			const [one, other] = [await open(url.href), await open(url.href)];
			const heard = heardBy(other);
			for (const userId of ['first', 'Ö', 'क', 'last']) one.publish(saying(userId));
			await expect.poll(() => heard).toEqual([saying('first'), saying('Ö'), { kind: 'resync' }, saying('last')]);
			await Promise.all(buses.splice(0).map((bus) => bus.close()));
			await ask(`drop database ${name}`);
		});

		test('after its connection was ended, it stands again: everybody looks anew, and what was said meanwhile arrives', async () => {
			const [one, other] = [await open(), await open()];
			const own = heardBy(one);
			const heard = heardBy(other);
			await ask(
				'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
			);
			one.publish(saying('meanwhile'));
			await expect.poll(() => heard).toContainEqual({ kind: 'resync' });
			await expect.poll(() => own).toContainEqual({ kind: 'resync' });
			one.publish(saying('afterwards'));
			await expect.poll(() => heard).toContainEqual(saying('afterwards'));
			// Told again where nobody knows whether it was; never lost.
			const connected = await ask(
				"select 1 from pg_stat_activity where datname = current_database() and (query ilike 'listen%' or query ilike '%pg_notify%')",
			);
			expect(connected.length).toBeLessThanOrEqual(3);
		});

		test('a connection that has died without a word is found out', async () => {
			const { hostname, port } = new URL(database.url);
			const line = await openSilentLine({ host: hostname, port: Number(port) });
			const url = new URL(database.url);
			url.port = String(line.port);
			const [one, other] = [await open(url.href, quickProbe), await open()];
			const heard = heardBy(one);
			line.silence();
			other.publish(saying('unheard'));
			await expect.poll(() => heard).toContainEqual({ kind: 'resync' });
			other.publish(saying('heard'));
			await expect.poll(() => heard).toContainEqual(saying('heard'));
			const overheard = heardBy(other);
			one.publish(saying('answer'));
			await expect.poll(() => overheard).toContainEqual(saying('answer'));
			expect(line.count()).toBe(2);
			await Promise.all(buses.splice(0).map((bus) => bus.close()));
			await line.close();
		});

		test('one try after the other while the database is away, not ever more of them', async () => {
			const { hostname, port } = new URL(database.url);
			const line = await openSilentLine({ host: hostname, port: Number(port) });
			const url = new URL(database.url);
			url.port = String(line.port);
			const bus = await open(url.href);
			const name = url.pathname.slice(1);
			const server = new URL(database.url);
			server.pathname = '/postgres';
			const client = new pg.Client({ connectionString: server.href });
			await client.connect();
			await client.query(`alter database ${name} allow_connections false`);
			await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
			const [triedBefore, endedAt] = [line.count(), performance.now()];
			await expect.poll(() => line.count()).toBeGreaterThan(triedBefore + 3);
			// One every half second, however long they took; one may have been under way before.
			expect(line.count() - triedBefore).toBeLessThanOrEqual((performance.now() - endedAt) / 500 + 1);
			const heard = heardBy(bus);
			await client.query(`alter database ${name} allow_connections true`);
			await client.end();
			await expect.poll(() => heard).toContainEqual({ kind: 'resync' });
			await Promise.all(buses.splice(0).map((each) => each.close()));
			await line.close();
		});

		test('what was published last goes out before it closes', async () => {
			const [one, other] = [await open(), await open()];
			const heard = heardBy(other);
			for (let number = 0; number < 500; number += 1) one.publish(saying(`person ${number}`));
			await one.close();
			await expect.poll(() => heard.length).toBe(500);
		});
	});
}
