import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ensureInitialAdmin } from '#server/features/accounts/administration/initial-admin.ts';
import { createMailSender } from '#server/features/mail/outbox/mail-sender.ts';
import { spaceWarningsJob } from '#server/features/maintenance/disk-space-warnings/disk-space-warnings.service.ts';
import {
	maintenanceJob,
	runHourlyMaintenance,
	scheduleMaintenance,
} from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { ConfigError, parseConfig } from '#server/platform/config.ts';
import { finishBulkLoad, startBulkLoad } from '#server/platform/database/bulk-copy/bulk-load.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueueJob, type JobHandler, type RunningJob, runNextJob } from '#server/platform/jobs/jobs.ts';
import { createDeps, registerServer } from '#server/start.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { startSmtp } from '../../support/services/mail-server.ts';
import { runStatement } from '../../support/services/postgres-server.ts';
import { createPostgresDatabase, testDatabase } from '../../support/services/test-database.ts';

describe('the secret', () => {
	test('must be the same in all processes, until another one is accepted explicitly', async () => {
		const world = await createTestApp();
		onTestFinished(() => world.close());
		const refused = createSecondProcess(world, { SECRET: 'another secret than the first' });
		await expect(refused).rejects.toThrow(ConfigError);
		await expect(refused).rejects.toThrow(/^Bad settings: SECRET [^\n]+ accept-secret$/u);
		await (await createSecondProcess(world)).close();

		const { bus, connection } = await createDeps(
			{ ...world.deps.config, SECRET: 'another secret than the first' },
			{ isSecretAccepted: true },
		);
		await bus.close();
		await connection.close();
		await (await createSecondProcess(world, { SECRET: 'another secret than the first' })).close();
		await expect(createSecondProcess(world)).rejects.toThrow(ConfigError);
	});
});

describe('a job', () => {
	let world: TestApp;
	let other: Deps;
	beforeAll(async () => {
		world = await createTestApp();
		// With SQLite there is one process, so its connection is used for both.
		other = testDatabase === 'postgres' ? (await createSecondProcess(world)).deps : world.deps;
	});
	afterAll(async () => {
		if (other !== world.deps) {
			await other.bus.close();
			await other.connection.close();
		}
		await world.close();
	});

	const enqueue = (kind: string) => inTransaction(world.deps.db, (tx) => enqueueJob(world.deps, tx, kind, { step: 1 }));
	const kept = () => world.deps.db.selectFrom('jobs').select(['kind', 'payload', 'leased_until']).execute();

	/** Creates a handler that waits until the test resolves `end`. */
	function createWaitingHandler() {
		const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		let runs = 0;
		const handler: JobHandler = async () => {
			runs += 1;
			begun.resolve();
			await end.promise;
		};
		return { handler, begun, end, count: () => runs };
	}

	test('that takes longer than its lease is renewed and runs in one process only', async () => {
		await enqueue('long');
		const { handler, begun, end, count } = createWaitingHandler();
		const handlers = { long: handler };
		const running = runNextJob(world.deps, handlers, 'main', { renewEveryMs: 10 });
		await begun.promise;
		for (let times = 0; times < 5; times += 1) {
			const before = (await kept())[0]?.leased_until;
			await expect.poll(async () => (await kept())[0]?.leased_until).not.toBe(before);
			expect(await runNextJob(other, handlers)).toBe(false);
		}
		end.resolve();
		expect(await running).toBe(true);
		expect(count()).toBe(1);
		expect(await kept()).toEqual([]);
	});

	test.each([90, 24 * 3600])('is not taken over by a process whose clock is %i s ahead', async (seconds) => {
		await enqueue('held');
		const { handler, begun, end } = createWaitingHandler();
		const running = runNextJob(world.deps, { held: handler });
		await begun.promise;
		const now = () => new Date(world.clock.now().getTime() + seconds * 1000);
		expect(await runNextJob({ ...other, clock: { now } }, { held: async () => {} })).toBe(false);
		end.resolve();
		expect(await running).toBe(true);
		expect(await kept()).toEqual([]);
	});

	test('is taken over when its lease has expired, and the first process can no longer change it', async () => {
		await enqueue('taken');
		const begun = Promise.withResolvers<RunningJob>();
		const wake = Promise.withResolvers<void>();
		const steps: string[] = [];
		const first: Record<string, JobHandler> = {
			taken: async (deps, _payload, job) => {
				begun.resolve(job);
				await wake.promise;
				await inTransaction(deps.db, async (tx) => {
					const row = { key: 'of the first', value: '', version: 1, updated_at: '' };
					await tx.insertInto('settings').values(row).execute();
					await job.savePayload(tx, { step: 'of the first' });
				});
				job.reschedule();
			},
		};
		const second: Record<string, JobHandler> = {
			taken: async (deps, _payload, job) => {
				await job.savePayload(deps.db, { step: 'of the second' });
				wake.resolve();
				await running;
				steps.push((await kept())[0]?.payload ?? 'gone');
				job.reschedule(60);
			},
		};
		const running = runNextJob(world.deps, first);
		await begun.promise;
		// A lease cannot expire in the millisecond in which it was acquired.
		await sleep(2);
		await world.deps.db.updateTable('jobs').set({ leased_until: '2020-01-01T00:00:00.000Z' }).execute();
		expect(await runNextJob(other, second)).toBe(true);
		expect(steps).toEqual([JSON.stringify({ step: 'of the second' })]);
		const payload = JSON.stringify({ step: 'of the second' });
		expect(await kept()).toEqual([{ kind: 'taken', payload, leased_until: null }]);
		// The transaction of the first process is rolled back.
		expect(await findRows(world.deps, 'settings', { key: 'of the first' })).toEqual([]);
		await world.deps.db.deleteFrom('jobs').execute();
	});

	test('for maintenance is scheduled once for all processes, as is the disk space check, and runs every hour', async () => {
		await Promise.all([scheduleMaintenance(world.deps), scheduleMaintenance(other), scheduleMaintenance(world.deps)]);
		expect((await kept()).map(({ kind }) => kind).sort()).toEqual([spaceWarningsJob, maintenanceJob]);
		await world.deps.db.deleteFrom('jobs').where('kind', '=', spaceWarningsJob).execute();
		const handlers = { [maintenanceJob]: runHourlyMaintenance };
		const both = await Promise.all([runNextJob(world.deps, handlers, 'upkeep'), runNextJob(other, handlers, 'upkeep')]);
		expect(both.filter(Boolean)).toHaveLength(1);
		world.clock.advance(3599);
		expect(await runNextJob(other, handlers, 'upkeep')).toBe(false);
		world.clock.advance(2);
		expect(await runNextJob(other, handlers, 'upkeep')).toBe(true);
		// It is not in the main queue, so mails and thumbnails do not wait for it.
		expect(await runNextJob(other, handlers)).toBe(false);
	});
});

test('a server that connected before a restore began is refused, and its lease released', async () => {
	const world = await createTestApp();
	onTestFinished(() => world.close());
	await startBulkLoad(world.deps.db);
	await expect(registerServer(world.deps)).rejects.toThrow(ConfigError);
	expect(await findRows(world.deps, 'process_leases')).toEqual([]);
	await finishBulkLoad(world.deps.db);
	const lease = await registerServer(world.deps);
	expect(await findRows(world.deps, 'process_leases')).toHaveLength(testDatabase === 'postgres' ? 1 : 0);
	await lease?.release();
});

// With SQLite there is only one process.
if (testDatabase === 'postgres') {
	test('four processes that start at once on an empty database create one owner and share one secret', async () => {
		const database = await createPostgresDatabase('empty');
		const folder = await mkdtemp(join(tmpdir(), 'folio-starts-'));
		const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
		const started: Deps[] = [];
		try {
			const starts = Array.from({ length: 4 }, async () => {
				const deps = await createDeps(config);
				started.push(deps);
				return ensureInitialAdmin(deps);
			});
			const owners = (await Promise.all(starts)).filter((owner) => owner !== null);
			expect(owners).toEqual([{ email: 'owner@folio.local', password: expect.stringMatching(/^\w+-\d\d-/u) }]);
			const [one, other] = started;
			if (one === undefined || other === undefined) throw new Error('nothing has started');
			expect(await findRows(one, 'users')).toMatchObject([{ email: 'owner@folio.local' }]);
			expect(await findRows(one, 'audit', { action: 'user-registered' })).toHaveLength(1);
			// They share one secret, which was created once in their folder.
			expect(other.secrets.unseal('a', one.secrets.seal('a', 'whole'))).toBe('whole');
		} finally {
			for (const { bus, connection } of started) {
				await bus.close();
				await connection.close();
			}
			await database.drop();
			await rm(folder, { recursive: true, force: true });
		}
	});

	test('a request whose PostgreSQL connection is terminated succeeds or returns 503', async () => {
		const world = await createTestApp();
		const { client } = await makeSignedInUser(world, 'somebody@example.com');
		const statuses: number[] = [];
		for (let times = 0; times < 5; times += 1) {
			const asked = Array.from({ length: 30 }, () => client.call('GET', '/api/me'));
			// Uses a connection of its own, because one of the pool may have been terminated before.
			await runStatement(
				world.deps.config.DATABASE_URL ?? '',
				'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
			);
			statuses.push(...(await Promise.all(asked)).map(({ statusCode }) => statusCode));
		}
		expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
		expect((await client.call('GET', '/api/me')).statusCode).toBe(200);
		await world.close();
	});

	test('the connection pool has the size that the database URL gives, or 12 connections', async () => {
		const database = await createPostgresDatabase();
		const folder = await mkdtemp(join(tmpdir(), 'folio-pool-'));
		for (const [query, size] of [
			['', 12],
			['?pool_size=3', 3],
		] as const) {
			const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: `${database.url}${query}`, LOG_LEVEL: 'silent' });
			const { bus, connection } = await createDeps(config);
			expect(connection.pool?.options.max).toBe(size);
			const asked = Array.from({ length: 20 }, () => connection.db.selectFrom('users').select('id').execute());
			await sleep(0);
			expect(connection.pool?.totalCount).toBeLessThanOrEqual(size);
			await Promise.all(asked);
			await bus.close();
			await connection.close();
		}
		expect(() => parseConfig({ DATABASE_URL: `${database.url}?pool_size=1` })).toThrow(/DATABASE_URL.*pool_size/u);
		await database.drop();
		await rm(folder, { recursive: true, force: true });
	});
}

test('a mail that takes longer than its lease is sent by one process only', async () => {
	const smtp = await startSmtp();
	onTestFinished(() => smtp.stop());
	const world = await createTestApp({ SMTP_URL: smtp.url });
	onTestFinished(() => world.close());
	const email = 'waiting@example.com';
	await makeSignedInUser(world, email);
	await createHttpClient(world.app).call('POST', '/api/password/request-reset', { email });
	while (await runNextJob(world.deps, jobHandlers));
	const first = createMailSender(world.deps, { renewEveryMs: 10 });
	const second = createMailSender(world.deps);
	const { db } = world.deps;
	const leasedUntil = async () =>
		(await db.selectFrom('outbox').select('leased_until').executeTakeFirst())?.leased_until;
	smtp.leaveUnanswered(true);
	const sending = first();
	await expect.poll(leasedUntil).toBeTruthy();
	for (let times = 0; times < 3; times += 1) {
		const before = await leasedUntil();
		await expect.poll(leasedUntil).not.toBe(before);
		// The lease does not depend on the clock of the process.
		world.clock.advance(24 * 3600);
		expect(await second()).toBe(false);
	}
	smtp.leaveUnanswered(false);
	expect(await sending).toBe(true);
	expect(await second()).toBe(false);
	expect(smtp.mails).toHaveLength(1);
});
