import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { type Bus, type BusMessage, createLocalBus } from '#server/platform/realtime/bus.ts';
import { createPostgresBus } from '#server/platform/realtime/postgres-bus.ts';
import { startSilentProxy } from '../../support/services/silent-proxy.ts';
import { createPostgresDatabase, type TestDatabase, testDatabase } from '../../support/services/test-database.ts';

/** A message that carries a text of any length. */
function messageTo(userId: string): BusMessage {
	return { kind: 'ended', ended: { userId, reason: 'logout' } };
}

function collectMessages(bus: Bus): BusMessage[] {
	const heard: BusMessage[] = [];
	bus.subscribe((message) => heard.push(message));
	return heard;
}

test('the in-process bus delivers messages to its subscribers at once, until it is closed', async () => {
	const bus = createLocalBus();
	const heard = collectMessages(bus);
	bus.publish(messageTo('meera'));
	bus.publishLocally({ kind: 'resync' });
	expect(heard).toEqual([messageTo('meera'), { kind: 'resync' }]);
	await bus.close();
	bus.publish(messageTo('nobody'));
	expect(heard).toHaveLength(2);
});

if (testDatabase === 'postgres') {
	describe('the bus between processes', () => {
		const log = createLog('silent');
		/** For tests of dead connections only, because on a busy machine a working connection may answer later. */
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

		/** Starts a proxy before the database. @returns it, and the address of the database behind it */
		async function startProxy() {
			const url = new URL(database.url);
			const line = await startSilentProxy({ host: url.hostname, port: Number(url.port) });
			url.port = String(line.port);
			return { line, url };
		}

		async function ask(statement: string): Promise<unknown[]> {
			const client = new pg.Client({ connectionString: database.url });
			await client.connect();
			const { rows } = await client.query(statement);
			await client.end();
			return rows;
		}

		test('delivers a message of 10,000 three-byte letters in order with the messages around it', async () => {
			const [one, other] = [await open(), await open()];
			const own = collectMessages(one);
			const heard = collectMessages(other);
			const long = messageTo('क'.repeat(10_000));
			for (const message of [messageTo('first'), long, messageTo('last')]) one.publish(message);
			await expect.poll(() => heard).toEqual([messageTo('first'), long, messageTo('last')]);
			expect(own).toEqual([messageTo('first'), long, messageTo('last')]);
		});

		test('keeps the order of a thousand short and long messages', async () => {
			const [one, other] = [await open(), await open()];
			const heard = collectMessages(other);
			const said = Array.from({ length: 1000 }, (_, at) => messageTo(`${at} ${'ख'.repeat(at % 50 === 0 ? 9000 : 5)}`));
			for (const message of said) one.publish(message);
			await expect.poll(() => heard.length).toBe(1000);
			expect(heard).toEqual(said);
		});

		test('replaces a message that cannot be published by a resync and delivers the others', async () => {
			const name = `latin_${Date.now()}`;
			await ask(`create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
			const url = new URL(database.url);
			url.pathname = `/${name}`;
			const [one, other] = [await open(url.href), await open(url.href)];
			const heard = collectMessages(other);
			for (const userId of ['first', 'Ö', 'क', 'last']) one.publish(messageTo(userId));
			const sent = [messageTo('first'), messageTo('Ö'), { kind: 'resync' }, messageTo('last')];
			await expect.poll(() => heard).toEqual(sent);
			await Promise.all(buses.splice(0).map((bus) => bus.close()));
			await ask(`drop database ${name}`);
		});

		test('reconnects and sends a resync after its connections were terminated', async () => {
			const [one, other] = [await open(), await open()];
			const own = collectMessages(one);
			const heard = collectMessages(other);
			await ask(
				'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
			);
			one.publish(messageTo('meanwhile'));
			await expect.poll(() => heard).toContainEqual({ kind: 'resync' });
			await expect.poll(() => own).toContainEqual({ kind: 'resync' });
			one.publish(messageTo('afterwards'));
			await expect.poll(() => heard).toContainEqual(messageTo('afterwards'));
			// Each bus has one connection, and this query finds itself, too.
			const connected = await ask(
				"select 1 from pg_stat_activity where datname = current_database() and (query ilike 'listen%' or query ilike '%pg_notify%')",
			);
			expect(connected.length).toBeLessThanOrEqual(3);
		});

		test('detects a connection that died silently', async () => {
			const { line, url } = await startProxy();
			const [one, other] = [await open(url.href, quickProbe), await open()];
			const heard = collectMessages(one);
			line.silence();
			other.publish(messageTo('unheard'));
			await expect.poll(() => heard).toContainEqual({ kind: 'resync' });
			other.publish(messageTo('heard'));
			await expect.poll(() => heard).toContainEqual(messageTo('heard'));
			const overheard = collectMessages(other);
			one.publish(messageTo('answer'));
			await expect.poll(() => overheard).toContainEqual(messageTo('answer'));
			expect(line.count()).toBe(2);
			await Promise.all(buses.splice(0).map((bus) => bus.close()));
			await line.close();
		});

		test('makes one connection attempt after the other while the database is away', async () => {
			const { line, url } = await startProxy();
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
			// One attempt every half second, and one may have been under way before.
			expect(line.count() - triedBefore).toBeLessThanOrEqual((performance.now() - endedAt) / 500 + 1);
			const heard = collectMessages(bus);
			await client.query(`alter database ${name} allow_connections true`);
			await client.end();
			await expect.poll(() => heard).toContainEqual({ kind: 'resync' });
			await Promise.all(buses.splice(0).map((each) => each.close()));
			await line.close();
		});

		test('delivers everything that was published before it closes', async () => {
			const [one, other] = [await open(), await open()];
			const heard = collectMessages(other);
			for (let number = 0; number < 500; number += 1) one.publish(messageTo(`person ${number}`));
			await one.close();
			await expect.poll(() => heard.length).toBe(500);
		});
	});
}
