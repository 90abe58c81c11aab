import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, connectPostgres, connectSqlite } from './db/connect.ts';
import { findPendingMigrations, migrate } from './db/migrate.ts';
import { copySqlite } from './db/probe.ts';
import { createMailSender } from './features/mail/mail.sender.ts';
import { releaseMailsAfterStart } from './features/mail/mail.service.ts';
import { collectGarbage, repairAfterStart } from './features/upkeep/upkeep.service.ts';
import { endLapsedViews } from './features/view-as/view-as.service.ts';
import { jobHandlers } from './job-handlers.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Deps } from './platform/deps.ts';
import { releaseJobsAfterStart, runNextJob } from './platform/jobs/jobs.ts';
import { startWorker, type Worker } from './platform/jobs/worker.ts';
import { createLog, type Log } from './platform/log.ts';
import { createLocalBus, createPostgresBus } from './platform/realtime/bus.ts';
import { createLiveConnections } from './platform/realtime/live-connections.ts';
import { createSecrets, loadOrCreateSecret } from './platform/secrets.ts';
import { createDiskStorage } from './platform/storage/disk-storage.ts';

const workerIdleMs = 1000;
const garbageEveryMs = 3_600_000;
const lapsedViewsEveryMs = 60_000;

/** Opens the database, brought up to date; an embedded one with content is copied aside before it is changed. */
async function openDatabase(config: Config, log: Log): Promise<Connection> {
	mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
	const connection =
		config.DATABASE_URL === undefined
			? connectSqlite(join(config.DATA_DIR, 'folio.db'))
			: connectPostgres(config.DATABASE_URL, (error) => log.warn({ error: error.message }, 'database connection lost'));
	const pending = await findPendingMigrations(connection.db);
	if (pending.length > 0 && connection.kind === 'sqlite' && !pending.includes('0001-first-sale')) {
		const folder = join(config.DATA_DIR, 'backups');
		mkdirSync(folder, { recursive: true });
		const file = join(folder, `before-${pending[0]}-${Date.now()}.db`);
		await copySqlite(connection.db, file);
		log.info({ file }, 'database copied before migrating');
	}
	const done = await migrate(connection.db);
	if (done.length > 0) log.info({ migrations: done }, 'database migrated');
	return connection;
}

/** Makes everything that services work with. */
export async function createDeps(
	config: Config,
	overrides: { clock?: Clock; log?: Log; connection?: Connection } = {},
): Promise<Deps> {
	const log = overrides.log ?? createLog(config.LOG_LEVEL);
	const connection = overrides.connection ?? (await openDatabase(config, log));
	const bus = config.DATABASE_URL === undefined ? createLocalBus() : await createPostgresBus(config.DATABASE_URL, log);
	return {
		config,
		connection,
		db: connection.db,
		clock: overrides.clock ?? systemClock,
		log,
		secrets: createSecrets(config.SECRET ?? loadOrCreateSecret(config.DATA_DIR)),
		storage: createDiskStorage(join(config.DATA_DIR, 'storage')),
		bus,
		live: createLiveConnections(bus, log),
		wakeWorkers: () => {},
	};
}

/** Lets go of what a killed process held; call before {@link startWorkers}. */
export async function releaseLeases(deps: Deps): Promise<void> {
	await releaseMailsAfterStart(deps);
	await releaseJobsAfterStart(deps);
}

/** Starts the mail sender, the job runner and the upkeep. @returns a function that stops them, each at the end of its step */
export function startWorkers(deps: Deps): () => Promise<void> {
	const sendNextMail = createMailSender(deps);
	const workers: Worker[] = [
		startWorker('mail', deps.log, workerIdleMs, sendNextMail),
		startWorker('jobs', deps.log, workerIdleMs, () => runNextJob(deps, jobHandlers)),
		startWorker('pictures', deps.log, workerIdleMs, () => runNextJob(deps, jobHandlers, 'pictures')),
	];
	deps.wakeWorkers = () => {
		for (const worker of workers) worker.wake();
	};
	const upkeep = (work: Promise<void>) =>
		work.catch((error: unknown) => deps.log.error({ err: error }, 'upkeep failed'));
	let running = upkeep(repairAfterStart(deps));
	const every = (ms: number, work: (deps: Deps) => Promise<void>) => {
		const timer = setInterval(() => {
			running = running.then(() => upkeep(work(deps)));
		}, ms);
		timer.unref();
		return timer;
	};
	const timers = [every(garbageEveryMs, collectGarbage), every(lapsedViewsEveryMs, endLapsedViews)];
	return async () => {
		for (const timer of timers) clearInterval(timer);
		await Promise.all([...workers.map((worker) => worker.stop()), running]);
	};
}
