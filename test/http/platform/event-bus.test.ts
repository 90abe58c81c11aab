import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { type Bus, type BusMessage, createLocalBus } from '#server/platform/realtime/bus.ts';
import { createPostgresBus } from '#server/platform/realtime/postgres-bus.ts';
import { runStatement } from '../../support/services/postgres-server.ts';
import { startSilentProxy } from '../../support/services/silent-proxy.ts';
import { createPostgresDatabase, type TestDatabase, testDatabase } from '../../support/services/test-database.ts';

function messageTo(userId: string): BusMessage {
	return { kind: 'ended', ended: { userId, reason: 'logout' } };
}

function collectMessages(bus: Bus): BusMessage[] {
	const received: BusMessage[] = [];
	bus.subscribe((message) => received.push(message));
	return received;
}

test('the in-process bus delivers messages immediately to its subscribers until it is closed', async () => {
	const bus = createLocalBus();
	const received = collectMessages(bus);
	bus.publish(messageTo('meera'));
	bus.publishLocally({ kind: 'resync' });
	expect(received).toEqual([messageTo('meera'), { kind: 'resync' }]);
	await bus.close();
	bus.publish(messageTo('nobody'));
	expect(received).toHaveLength(2);
});

if (testDatabase === 'postgres') {
	describe('the bus between processes', () => {
		const log = createLog('silent');
		/** Only for tests of lost connections. On a busy machine, a working connection may need longer to respond. */
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

		async function startProxy() {
			const url = new URL(database.url);
			const proxy = await startSilentProxy({ host: url.hostname, port: Number(url.port) });
			onTestFinished(() => proxy.close());
			url.port = String(proxy.port);
			return { proxy, url };
		}

		const query = (statement: string) => runStatement(database.url, statement);

		test('keeps the order of a thousand messages', async () => {
			const [firstBus, secondBus] = [await open(), await open()];
			const received = collectMessages(secondBus);
			const sent = Array.from({ length: 1000 }, (_, at) => messageTo(`${at} ${'ख'.repeat(at % 50 === 0 ? 2000 : 5)}`));
			for (const message of sent) firstBus.publish(message);
			await expect.poll(() => received.length).toBe(1000);
			expect(received).toEqual(sent);
		});

		test('ignores a message of a kind that this version does not know', async () => {
			const received = collectMessages(await open());
			for (const message of [{ kind: 'something-new' }, messageTo('meera')])
				await query(`select pg_notify('folio', '${JSON.stringify({ from: 'newer', message })}')`);
			await expect.poll(() => received).toEqual([messageTo('meera')]);
		});

		test('publishes a resync instead of a message that it cannot publish, and delivers the other messages', async () => {
			const name = `latin_${Date.now()}`;
			await query(`create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
			const url = new URL(database.url);
			url.pathname = `/${name}`;
			const [firstBus, secondBus] = [await open(url.href), await open(url.href)];
			const received = collectMessages(secondBus);
			for (const userId of ['first', 'Ö', 'क', 'x'.repeat(8000), 'last']) firstBus.publish(messageTo(userId));
			const sent = [messageTo('first'), messageTo('Ö'), { kind: 'resync' }, { kind: 'resync' }, messageTo('last')];
			await expect.poll(() => received).toEqual(sent);
			await Promise.all(buses.splice(0).map((bus) => bus.close()));
			await query(`drop database ${name}`);
		});

		test('reconnects and publishes a resync after its connections were terminated', async () => {
			const [firstBus, secondBus] = [await open(), await open()];
			const own = collectMessages(firstBus);
			const received = collectMessages(secondBus);
			await query(
				'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
			);
			firstBus.publish(messageTo('meanwhile'));
			await expect.poll(() => received).toContainEqual({ kind: 'resync' });
			await expect.poll(() => own).toContainEqual({ kind: 'resync' });
			firstBus.publish(messageTo('afterwards'));
			await expect.poll(() => received).toContainEqual(messageTo('afterwards'));
			// Counts the connection of each bus and the connection of this query.
			const connected = await query(
				"select 1 from pg_stat_activity where datname = current_database() and (query ilike 'listen%' or query ilike '%pg_notify%')",
			);
			expect(connected).toBeLessThanOrEqual(3);
		});

		test('detects a lost connection that was not closed', async () => {
			const { proxy, url } = await startProxy();
			const [firstBus, secondBus] = [await open(url.href, quickProbe), await open()];
			const received = collectMessages(firstBus);
			proxy.silence();
			secondBus.publish(messageTo('unheard'));
			await expect.poll(() => received).toContainEqual({ kind: 'resync' });
			secondBus.publish(messageTo('heard'));
			await expect.poll(() => received).toContainEqual(messageTo('heard'));
			const receivedByOther = collectMessages(secondBus);
			firstBus.publish(messageTo('answer'));
			await expect.poll(() => receivedByOther).toContainEqual(messageTo('answer'));
			expect(proxy.count()).toBe(2);
		});

		test('makes one connection attempt at a time while the database is unreachable', async () => {
			const { proxy, url } = await startProxy();
			const bus = await open(url.href);
			const name = url.pathname.slice(1);
			const server = new URL(database.url);
			server.pathname = '/postgres';
			await runStatement(server.href, `alter database ${name} allow_connections false`);
			await runStatement(
				server.href,
				`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
			);
			const [triedBefore, endedAt] = [proxy.count(), performance.now()];
			await expect.poll(() => proxy.count()).toBeGreaterThan(triedBefore + 3);
			// An attempt starts every half second, and one attempt may have started before `endedAt`.
			expect(proxy.count() - triedBefore).toBeLessThanOrEqual((performance.now() - endedAt) / 500 + 1);
			const received = collectMessages(bus);
			await runStatement(server.href, `alter database ${name} allow_connections true`);
			await expect.poll(() => received).toContainEqual({ kind: 'resync' });
		});

		test('delivers all messages that were published before it was closed', async () => {
			const [firstBus, secondBus] = [await open(), await open()];
			const received = collectMessages(secondBus);
			for (let number = 0; number < 500; number += 1) firstBus.publish(messageTo(`person ${number}`));
			await firstBus.close();
			await expect.poll(() => received.length).toBe(500);
		});
	});
}
