import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
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
import { acceptSecret } from '#server/platform/installation.ts';
import { enqueueJob, type JobHandler, type JobHandlers, runNextJob } from '#server/platform/jobs/jobs.ts';
import { closeDeps, createDeps, registerServer } from '#server/start.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { startSmtp } from '../../support/services/mail-server.ts';
import { runStatement } from '../../support/services/postgres-server.ts';
import { createPostgresDatabase, testDatabase } from '../../support/services/test-database.ts';

describe('the secret', () => {
	test('must be the same in all processes, unless a different secret is accepted explicitly', async () => {
		await using testApp = await createTestApp();
		const refused = createSecondProcess(testApp, { SECRET: 'another secret than the first' });
		await expect(refused).rejects.toThrow(ConfigError);
		await expect(refused).rejects.toThrow(/^Invalid settings: SECRET [^\n]+ accept-secret$/u);
		await (await createSecondProcess(testApp)).close();

		const config = { ...testApp.deps.config, SECRET: 'another secret than the first' };
		expect(await acceptSecret(config, testApp.deps.db, testApp.clock)).toBe(true);
		expect(await acceptSecret(config, testApp.deps.db, testApp.clock)).toBe(false);
		await (await createSecondProcess(testApp, config)).close();
		await expect(createSecondProcess(testApp)).rejects.toThrow(ConfigError);

		// The secret in the data folder is not lost, so another one is not accepted.
		await writeFile(join(config.DATA_DIR, 'secret'), `${config.SECRET}\n`);
		const wrong = { ...config, SECRET: 'a third secret, set by mistake' };
		await expect(acceptSecret(wrong, testApp.deps.db, testApp.clock)).rejects.toThrow(
			'remove SECRET from the settings',
		);
		await (await createSecondProcess(testApp, config)).close();
	});
});

describe('a job', () => {
	let testApp: TestApp;
	let secondDeps: Deps;
	beforeAll(async () => {
		testApp = await createTestApp();
		// Only PostgreSQL allows a second process.
		secondDeps = testDatabase === 'postgres' ? (await createSecondProcess(testApp)).deps : testApp.deps;
	});
	afterAll(async () => {
		if (secondDeps !== testApp.deps) await closeDeps(secondDeps);
		await testApp.close();
	});

	const enqueue = (kind: string) =>
		inTransaction(testApp.deps.db, (tx) => enqueueJob(testApp.deps, tx, kind, { step: 1 }));
	const readJobs = () => testApp.deps.db.selectFrom('jobs').select(['kind', 'payload', 'leased_until']).execute();

	test('whose duration exceeds its lease runs in only one process, even if the clocks of the processes differ', async () => {
		await enqueue('long');
		const now = () => new Date(testApp.clock.now().getTime() + 24 * 3_600_000);
		const [started, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const long = vi.fn<JobHandler>(async () => {
			started.resolve();
			await end.promise;
		});
		const handlers = { long };
		const running = runNextJob(testApp.deps, handlers, 'main', { renewEveryMs: 10 });
		await started.promise;
		for (let times = 0; times < 5; times += 1) {
			const before = (await readJobs())[0]?.leased_until;
			await expect.poll(async () => (await readJobs())[0]?.leased_until).not.toBe(before);
			expect(await runNextJob(secondDeps, handlers)).toBe(false);
			expect(await runNextJob({ ...secondDeps, clock: { now } }, handlers)).toBe(false);
		}
		end.resolve();
		expect(await running).toBe(true);
		expect(long).toHaveBeenCalledOnce();
		expect(await readJobs()).toEqual([]);
	});

	test('runs in another process after its lease has expired, and the first process can no longer write its result', async () => {
		await enqueue('taken');
		const started = Promise.withResolvers<void>();
		const wake = Promise.withResolvers<void>();
		const steps: string[] = [];
		const first: Record<string, JobHandler> = {
			taken: async (deps, _payload, job) => {
				started.resolve();
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
				steps.push((await readJobs())[0]?.payload ?? 'gone');
				job.reschedule(60);
			},
		};
		const running = runNextJob(testApp.deps, first);
		await started.promise;
		// Waits, because a lease cannot expire in the millisecond of its start.
		await sleep(2);
		await testApp.deps.db.updateTable('jobs').set({ leased_until: '2020-01-01T00:00:00.000Z' }).execute();
		expect(await runNextJob(secondDeps, second)).toBe(true);
		expect(steps).toEqual([JSON.stringify({ step: 'of the second' })]);
		expect(await readJobs()).toEqual([{ kind: 'taken', payload: steps[0], leased_until: null }]);
		expect(await findRows(testApp.deps, 'settings', { key: 'of the first' })).toEqual([]);
		await testApp.deps.db.deleteFrom('jobs').execute();
	});

	test('of a kind with batches is leased together with others, and alone after a failure', async () => {
		for (let number = 0; number < 3; number += 1) await enqueue('many');
		const sizes: number[] = [];
		const run = async (_deps: Deps, jobs: readonly unknown[]) => {
			sizes.push(jobs.length);
			// The other two are leased, so another process gets only the third.
			if (sizes.length === 1) expect(await runNextJob(secondDeps, handlers)).toBe(true);
			if (jobs.length > 1) throw new Error('one of them is bad');
		};
		const handlers: JobHandlers = { many: { max: 2, run } };
		while (await runNextJob(testApp.deps, handlers));
		expect(sizes).toEqual([2, 1]);
		testApp.clock.advance(2);
		while (await runNextJob(testApp.deps, handlers));
		expect(sizes).toEqual([2, 1, 1, 1]);
		expect(await readJobs()).toEqual([]);
	});

	test('for maintenance is scheduled once for all processes, like the disk space check, and runs every hour', async () => {
		await Promise.all([
			scheduleMaintenance(testApp.deps),
			scheduleMaintenance(secondDeps),
			scheduleMaintenance(testApp.deps),
		]);
		expect((await readJobs()).map(({ kind }) => kind).sort()).toEqual([spaceWarningsJob, maintenanceJob]);
		await testApp.deps.db.deleteFrom('jobs').where('kind', '=', spaceWarningsJob).execute();
		const handlers = { [maintenanceJob]: runHourlyMaintenance };
		const hasRun = await Promise.all([
			runNextJob(testApp.deps, handlers, 'upkeep'),
			runNextJob(secondDeps, handlers, 'upkeep'),
		]);
		expect(hasRun.filter(Boolean)).toHaveLength(1);
		testApp.clock.advance(3599);
		expect(await runNextJob(secondDeps, handlers, 'upkeep')).toBe(false);
		testApp.clock.advance(2);
		expect(await runNextJob(secondDeps, handlers, 'upkeep')).toBe(true);
		// Maintenance has a separate queue, so that mails and thumbnails do not wait for it.
		expect(await runNextJob(secondDeps, handlers)).toBe(false);
	});
});

test('a server that connected before a restore is refused during the restore, and its lease is released', async () => {
	await using testApp = await createTestApp();
	await startBulkLoad(testApp.deps.db);
	await expect(registerServer(testApp.deps)).rejects.toThrow(ConfigError);
	expect(await findRows(testApp.deps, 'process_leases')).toEqual([]);
	await finishBulkLoad(testApp.deps.db);
	const lease = await registerServer(testApp.deps);
	expect(await findRows(testApp.deps, 'process_leases')).toHaveLength(testDatabase === 'postgres' ? 1 : 0);
	await lease?.release();
});

if (testDatabase === 'postgres') {
	test('four processes that start at the same time on an empty database create one owner and use one secret', async () => {
		await using database = await createPostgresDatabase('empty');
		await using folder = await mkdtempDisposable(join(tmpdir(), 'folio-starts-'));
		await using started = new AsyncDisposableStack();
		const config = parseConfig({ DATA_DIR: folder.path, DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
		const start = async () => {
			const deps = await createDeps(config);
			started.defer(() => closeDeps(deps));
			return { deps, owner: await ensureInitialAdmin(deps) };
		};
		const processes = await Promise.all([start(), start(), start(), start()]);
		const owners = processes.map(({ owner }) => owner).filter((owner) => owner !== null);
		expect(owners).toEqual([{ email: 'owner@folio.local', password: expect.stringMatching(/^\w+-\d\d-/u) }]);
		const [first, second] = [processes[0].deps, processes[1].deps];
		expect(await findRows(first, 'users')).toMatchObject([{ email: 'owner@folio.local' }]);
		expect(await findRows(first, 'audit', { action: 'user-registered' })).toHaveLength(1);
		expect(second.secrets.unseal('a', first.secrets.seal('a', 'whole'))).toBe('whole');
	});

	test('a request whose PostgreSQL connection is terminated succeeds or returns 503', async () => {
		await using testApp = await createTestApp();
		const { client } = await makeSignedInUser(testApp, 'somebody@example.com');
		const statuses: number[] = [];
		for (let times = 0; times < 5; times += 1) {
			const requests = Array.from({ length: 30 }, () => client.call('GET', '/api/me'));
			// Terminates all connections to the database, also those that the requests use.
			await runStatement(
				testApp.deps.config.DATABASE_URL ?? '',
				'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
			);
			statuses.push(...(await Promise.all(requests)).map(({ statusCode }) => statusCode));
		}
		expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
		expect((await client.call('GET', '/api/me')).statusCode).toBe(200);
	});

	test('the connection pool has the size in the database URL, or otherwise 12 connections', async () => {
		await using database = await createPostgresDatabase();
		await using folder = await mkdtempDisposable(join(tmpdir(), 'folio-pool-'));
		for (const [query, size] of [
			['', 12],
			['?pool_size=3', 3],
		] as const) {
			const DATABASE_URL = `${database.url}${query}`;
			const config = parseConfig({ DATA_DIR: folder.path, DATABASE_URL, LOG_LEVEL: 'silent' });
			const deps = await createDeps(config);
			const { connection } = deps;
			expect(connection.pool?.options.max).toBe(size);
			const queries = Array.from({ length: 20 }, () => connection.db.selectFrom('users').select('id').execute());
			await sleep(0);
			expect(connection.pool?.totalCount).toBeLessThanOrEqual(size);
			await Promise.all(queries);
			await closeDeps(deps);
		}
		expect(() => parseConfig({ DATABASE_URL: `${database.url}?pool_size=1` })).toThrow(/DATABASE_URL.*pool_size/u);
	});
}

test('a mail whose delivery takes longer than its lease is sent by only one process', async () => {
	await using smtp = await startSmtp();
	await using testApp = await createTestApp({ SMTP_URL: smtp.url });
	const email = 'waiting@example.com';
	await makeSignedInUser(testApp, email);
	await createHttpClient(testApp.app).call('POST', '/api/password/request-reset', { email });
	while (await runNextJob(testApp.deps, jobHandlers));
	const first = createMailSender(testApp.deps, { renewEveryMs: 10 });
	const second = createMailSender(testApp.deps);
	const { db } = testApp.deps;
	const leasedUntil = async () =>
		(await db.selectFrom('outbox').select('leased_until').executeTakeFirst())?.leased_until;
	smtp.leaveUnanswered(true);
	const sending = first();
	await expect.poll(leasedUntil).toBeTruthy();
	for (let times = 0; times < 3; times += 1) {
		const before = await leasedUntil();
		await expect.poll(leasedUntil).not.toBe(before);
		// Leases use the time of the database instead of the test clock.
		testApp.clock.advance(24 * 3600);
		expect(await second()).toBe(false);
	}
	smtp.leaveUnanswered(false);
	expect(await sending).toBe(true);
	expect(await second()).toBe(false);
	expect(smtp.mails).toHaveLength(1);
});
