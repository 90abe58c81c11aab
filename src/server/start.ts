import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endExpiredImpersonations } from './features/accounts/impersonation/impersonation.service.ts';
import { mailNextUnread } from './features/chat/mail-notifications/mail-notifications.service.ts';
import { createMailSender } from './features/mail/outbox/mail-sender.ts';
import { releaseMailLeasesAfterStart } from './features/mail/outbox/outbox.service.ts';
import { backUpRowsBeforeMigration } from './features/maintenance/backup/pre-migration-backup.ts';
import { correctDueTimes, repairAfterStart, scheduleMaintenance } from './features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from './job-handlers.ts';
import { createSecrets, findSecretFile, loadOrCreateSecret } from './platform/auth/secrets.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, ConfigError } from './platform/config.ts';
import { createFolder } from './platform/create-folder.ts';
import { findBulkLoad } from './platform/database/bulk-copy/bulk-load.ts';
import {
	type Connection,
	connectPostgres,
	connectSqlite,
	databaseFileOf,
	hasDatabase,
	parsePostgresHost,
	probeDatabase,
} from './platform/database/connection.ts';
import {
	isCompatibleUpgrade,
	migrate,
	newerVersionMessage,
	readSchemaState,
} from './platform/database/migrations/migrate.ts';
import type { Deps } from './platform/deps.ts';
import {
	findInstallationId,
	getInstallationId,
	requireSameSecret,
	storeSecretFingerprint,
} from './platform/installation.ts';
import { releaseJobsAfterStart, runNextJob } from './platform/jobs/jobs.ts';
import { startWorker, type Worker } from './platform/jobs/worker.ts';
import { acquireServerLease, requireServersStopped } from './platform/locking/leases/process-leases.ts';
import { createLog, type Log, logRetriedFailure } from './platform/log.ts';
import { createLocalBus } from './platform/realtime/bus.ts';
import { createLiveConnections } from './platform/realtime/live-connections.ts';
import { createPostgresBus } from './platform/realtime/postgres-bus.ts';
import { createDeferredDeleteStorage } from './platform/storage/deferred-delete-storage.ts';
import { readDiskSpace } from './platform/storage/disk/disk-storage.ts';
import { openStorage } from './platform/storage/open-storage.ts';
import type { RetryPolicy } from './platform/storage/s3/s3-client.ts';
import { hasStoredBytes } from './platform/storage/storage.queries.ts';
import { acquireStorage } from './platform/storage/storage-ownership.ts';
import { registerFeatures } from './registrations.ts';

const workerIdleMs = 1000;
/** Longer than for other workers, because these mails are due only minutes after the message. */
const chatMailIdleMs = 5000;
const maintenanceIdleMs = 60_000;
const minutelyWorkIntervalMs = 60_000;

/** Why the server cannot start on a database; see {@link findBulkLoad}. */
const unfinishedLoadMessages = {
	restore: 'A restore into this database was not finished. Run the restore again: the server can start only after it.',
	move: 'A move to this database was not finished. Restore a backup into an empty database, and start Folio there.',
	moved: 'This installation was moved to another database, and its files belong to that database: start Folio there.',
};

const incompatibleUpgradeMessage =
	'This version changes the database in a way that servers of the previous version cannot use. Stop them, then start again. A killed server counts as running for one minute.';

/**
 * Migrates the database. The rows of a database with content are written to a backup first.
 * @throws ConfigError when rows are still being loaded into it, while incompatible servers of an older version run, or
 * when it was encrypted with another secret
 */
async function migrateDatabase(deps: Pick<Deps, 'config' | 'log' | 'clock' | 'secrets' | 'connection'>): Promise<void> {
	const { db } = deps.connection;
	const requireSecret = () => storeSecretFingerprint(db, deps.secrets, deps.clock);
	await requireNoBulkLoad(db);
	const done = await migrate(db, {
		before: async (state) => {
			if (state.executed.length === 0) return;
			if (!isCompatibleUpgrade(state)) await requireServersStopped(deps, state.executed, incompatibleUpgradeMessage);
			// Checked before the backup, because the backup records this secret's fingerprint as that of its texts.
			await requireSecret();
			await backUpRowsBeforeMigration(deps, state);
		},
	});
	if (done.length > 0) deps.log.info({ migrations: done }, 'database migrated');
	await requireSecret();
}

/** Requires a database that a server of this version has started on. Changes nothing. @throws ConfigError */
export async function requireStartedDatabase({ db, kind }: Connection): Promise<void> {
	const { executed, pending, unknown, isCompatible: canRun } = await readSchemaState(db);
	if (executed.length === 0)
		throw new ConfigError(
			`The database is empty: set ${kind === 'sqlite' ? 'DATA_DIR' : 'DATABASE_URL'} to that of an installation. The first start of the server creates one.`,
		);
	await requireNoBulkLoad(db);
	if (unknown.length > 0 && !canRun) throw new ConfigError(newerVersionMessage);
	if (unknown.length === 0 && pending.length > 0)
		throw new ConfigError(
			'The database is of an older version of Folio. Start the server first: it changes the database.',
		);
}

/** @throws ConfigError while a load of rows into the database is unfinished */
async function requireNoBulkLoad(db: Deps['db']): Promise<void> {
	const loading = await findBulkLoad(db);
	if (loading !== null) throw new ConfigError(unfinishedLoadMessages[loading.kind]);
}

/**
 * Registers this process as a server of the database and of the storage; see {@link acquireServerLease}.
 * @throws ConfigError when a restore or a rotation of the secret began while this process was starting, or while a server
 * of another database uses the storage
 */
export async function registerServer(deps: Pick<Deps, 'db' | 'log' | 'clock' | 'secrets' | 'storage'>) {
	const lease = await acquireServerLease(deps);
	try {
		// Checked again after the lease was inserted, because a restore that began earlier did not see this server.
		await requireNoBulkLoad(deps.db);
		await requireSameSecret(deps.db, deps.secrets);
		const storage = await acquireStorage(deps);
		return {
			async release(): Promise<void> {
				await lease?.release();
				await storage.release();
			},
		};
	} catch (error) {
		// Fails if the restore has dropped the table of the leases.
		await lease?.release().catch(() => {});
		throw error;
	}
}

/** Like {@link connectTo}, but never creates an embedded database. @throws ConfigError also when there is none */
export async function connectToExisting(config: Config, log: Log, databaseWaitMs?: number): Promise<Connection> {
	if (!hasDatabase(config))
		throw new ConfigError(
			`There is no installation of Folio at ${config.DATA_DIR}: set DATA_DIR to its folder, or DATABASE_URL to its database.`,
		);
	return connectTo(config, log, databaseWaitMs);
}

/** @throws ConfigError without a secret */
function requireSecretOf({ SECRET, DATA_DIR }: Config): string {
	const secret = SECRET ?? findSecretFile(DATA_DIR);
	if (secret !== null) return secret;
	throw new ConfigError(
		`There is no file "secret" in ${DATA_DIR}, and SECRET is not set: set DATA_DIR to the folder of the installation, or SECRET. If the secret is lost, run: npm run cli -- accept-secret`,
	);
}

/** Connects to the configured database without migrating it. @throws ConfigError when PostgreSQL cannot be used */
export async function connectTo(config: Config, log: Log, databaseWaitMs?: number): Promise<Connection> {
	const { DATABASE_URL: url } = config;
	if (url === undefined) return connectSqlite(databaseFileOf(config.DATA_DIR), databaseWaitMs);
	const connection = connectPostgres(url, (error) => log.warn({ error: error.message }, 'database connection lost'));
	try {
		await probeDatabase(connection.db);
		return connection;
	} catch (error) {
		await connection.close();
		// For a host name with several addresses, the error has a code but no message.
		const { message, code } = error as NodeJS.ErrnoException;
		throw new ConfigError(
			`PostgreSQL at ${parsePostgresHost(url)} cannot be used (${message || code}): check that it is running and that its address is correct.`,
			{ cause: error },
		);
	}
}

/**
 * Opens the installation that the settings name. A server creates it, migrates its database and marks its storage; with
 * `mustExist`, as for the operator's commands, nothing of it is created or changed.
 * @throws ConfigError
 */
export async function createDeps(
	config: Config,
	{
		clock = systemClock,
		log = createLog(config.LOG_LEVEL),
		patience,
		mustExist = false,
		databaseWaitMs,
	}: {
		clock?: Clock;
		log?: Log;
		patience?: RetryPolicy | undefined;
		mustExist?: boolean;
		/** How long a statement waits while another process or caller writes to an embedded database. */
		databaseWaitMs?: number;
	} = {},
): Promise<Deps> {
	registerFeatures();
	if (!mustExist) createFolder(config.DATA_DIR);
	const connection = await (mustExist ? connectToExisting : connectTo)(config, log, databaseWaitMs);
	try {
		if (mustExist) await requireStartedDatabase(connection);
		const secrets = createSecrets(
			mustExist ? requireSecretOf(config) : (config.SECRET ?? loadOrCreateSecret(config.DATA_DIR)),
		);
		if (mustExist) await requireSameSecret(connection.db, secrets);
		else await migrateDatabase({ config, log, clock, secrets, connection });
		const filesFolder = join(config.DATA_DIR, 'storage');
		if (mustExist && config.s3 === null && !existsSync(filesFolder) && (await hasStoredBytes(connection.db)))
			throw new ConfigError(
				`There is no folder ${filesFolder}, although the database has stored files: set DATA_DIR to the folder of this installation.`,
			);
		const storage = await openStorage(config, {
			findInstallationId: () =>
				mustExist ? findInstallationId(connection.db) : getInstallationId(connection.db, clock),
			hasFiles: () => hasStoredBytes(connection.db),
			isReadOnly: mustExist,
			log,
			retryPolicy: patience,
		});
		const bus =
			config.DATABASE_URL === undefined
				? createLocalBus()
				: await createPostgresBus(config.DATABASE_URL, log, { pool: connection.pool });
		return {
			config,
			connection,
			db: connection.db,
			clock,
			log,
			secrets,
			storage: createDeferredDeleteStorage(storage, connection.db, clock),
			getDataDiskSpace: () => readDiskSpace(config.DATA_DIR),
			bus,
			live: createLiveConnections(bus, log),
			wakeWorkers: () => {},
		};
	} catch (error) {
		await connection.close();
		throw error;
	}
}

export async function closeDeps({ bus, storage, connection }: Deps): Promise<void> {
	await bus.close();
	await storage.close();
	await connection.close();
}

/**
 * Releases leases of a killed process, and starts the workers for mails, mails about unread chat messages, jobs and
 * maintenance.
 * @returns a function that stops them, each after its current step
 */
export async function startWorkers(deps: Deps): Promise<() => Promise<void>> {
	const logFailure = (work: Promise<void>) =>
		work.catch((error: unknown) => logRetriedFailure(deps.log, error, {}, 'maintenance failed'));
	// If the database is locked, the server continues, and the leases expire by themselves.
	await logFailure(releaseMailLeasesAfterStart(deps));
	await logFailure(releaseJobsAfterStart(deps));
	const sendNextMail = createMailSender(deps);
	const workers: Worker[] = [
		startWorker('mail', deps.log, workerIdleMs, sendNextMail),
		startWorker('chat-mail', deps.log, chatMailIdleMs, () => mailNextUnread(deps)),
		startWorker('jobs', deps.log, workerIdleMs, () => runNextJob(deps, jobHandlers)),
		...['pictures-1', 'pictures-2'].map((name) =>
			startWorker(name, deps.log, workerIdleMs, () => runNextJob(deps, jobHandlers, 'pictures')),
		),
		startWorker('documents', deps.log, workerIdleMs, () => runNextJob(deps, jobHandlers, 'documents')),
		startWorker('copies', deps.log, workerIdleMs, () => runNextJob(deps, jobHandlers, 'copies')),
	];
	const maintenanceWorker = startWorker('upkeep', deps.log, maintenanceIdleMs, () =>
		runNextJob(deps, jobHandlers, 'upkeep'),
	);
	deps.wakeWorkers = () => {
		for (const worker of workers) worker.wake();
	};
	const runMinutelyWork = async () => {
		await logFailure(endExpiredImpersonations(deps));
		await logFailure(correctDueTimes(deps));
	};
	let running = logFailure(repairAfterStart(deps)).then(() => logFailure(scheduleMaintenance(deps)));
	const timer = setInterval(() => {
		running = running.then(() => runMinutelyWork());
	}, minutelyWorkIntervalMs);
	timer.unref();
	return async () => {
		clearInterval(timer);
		await Promise.all([...[...workers, maintenanceWorker].map((worker) => worker.stop()), running]);
	};
}
