import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backupFingerprintOf, createSecrets, secretFileOf, writeSecret } from '../../../platform/auth/secrets.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import {
	acquireLoadingLock,
	findBulkLoad,
	finishBulkLoad,
	setBulkLoadSource,
} from '../../../platform/database/bulk-copy/bulk-load.ts';
import { type Connection, hasDatabase } from '../../../platform/database/connection.ts';
import { migrate, migrations } from '../../../platform/database/migrations/migrate.ts';
import { findExecutedMigrations } from '../../../platform/database/migrations/migration-state.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { formatStorage } from '../../../platform/format.ts';
import { newId } from '../../../platform/ids.ts';
import { replaceInstallationId } from '../../../platform/installation.ts';
import { requireServersStopped } from '../../../platform/locking/leases/process-leases.ts';
import { serverLockOf } from '../../../platform/locking/process-lock.ts';
import type { Log } from '../../../platform/log.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { ignoreMissingFile } from '../../../platform/storage/storage.ts';
import { findStorageOwner, requireUnusedStorage } from '../../../platform/storage/storage-ownership.ts';
import { type BackupSource, filesFolder, listStoredFiles, openBackup } from '../backup/backup-folder.ts';
import {
	formatCount,
	PreconditionError,
	type ReportProgress,
	withEmbeddedDatabaseLock,
	withProcessLock,
} from '../backup/operator-command.ts';
import { compareRows, loadRows, prepareDatabase, requireEmptyTarget } from '../backup/row-loading.ts';
import { copyFromFolder, type FilesOutcome, forEachFile } from '../backup/stored-files.ts';
import { deleteUnfinishedUploads } from '../tasks/tasks.queries.ts';

type RestoreResult = Awaited<ReturnType<typeof restore>>;

/**
 * Restores a backup into an empty installation with any database and storage, and then migrates the installation to
 * this version. Until everything is restored, no server can start with this installation. After a kill, the next run
 * continues the restore. A backup with files makes another installation, with an id of its own. Rows alone, such as those
 * of a backup made before an upgrade, take the id of the storage, which must have the files. A restore that is refused
 * creates nothing.
 * @throws PreconditionError when the backup is incomplete, or the installation is in use, has another secret or is
 * being restored by another process
 * @throws ConfigError while a server runs on the database or the storage, or when the storage has another owner
 */
export async function restore(config: Config, connection: Connection, path: string, tools: Tools) {
	const backup = await openBackup(path);
	await requireTarget(config, connection, backup, tools.log);
	// This lock protects the data folder: the secret, temporary files and an embedded database. A PostgreSQL database,
	// which several machines may share, is protected by the loading lock below.
	return withProcessLock(restoreLockOf(config), `Another restore into ${config.DATA_DIR}`, () =>
		withEmbeddedDatabaseLock(config, async () => {
			const release = await acquireLoadingLock(connection);
			if (release === null)
				throw new PreconditionError('Another restore into this database is under way: wait for its end.');
			try {
				return await restoreInto(config, connection, backup, tools);
			} finally {
				await release();
			}
		}),
	);
}

function restoreLockOf({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
	return join(DATA_DIR, 'restore.process-lock');
}

interface Tools {
	log: Log;
	report: ReportProgress;
}

/** Checks everything that can refuse a restore, and creates nothing. @throws PreconditionError, ConfigError */
async function requireTarget(config: Config, connection: Connection, backup: BackupSource, log: Log): Promise<void> {
	const { version, migrations: executed } = backup.header;
	const unknown = executed.find((name) => !Object.hasOwn(migrations, name));
	if (unknown !== undefined)
		throw new PreconditionError(
			`This backup was made by a newer version of Folio (${version}, ${unknown}). Restore it with that version.`,
		);
	await requireSecret(config, backup);
	// Locking creates a file that is never deleted, so only files that exist are tried.
	const nothing = async () => {};
	if (existsSync(restoreLockOf(config)))
		await withProcessLock(restoreLockOf(config), `Another restore into ${config.DATA_DIR}`, nothing);
	if (existsSync(serverLockOf(config))) await withEmbeddedDatabaseLock(config, nothing);
	let id = newId();
	if (hasDatabase(config)) {
		await requireNoServers(connection);
		await requireEmptyTarget(connection.db);
		id = (await findRestoredId(connection.db)) ?? id;
	}
	await (await openTargetStorage(config, backup, id, log, true)).close();
}

/**
 * Opens the storage to restore into, with `id` as its owner; for rows alone, with the owner that it has.
 * @throws ConfigError when it belongs to another installation; for rows alone, also while a server uses it
 */
async function openTargetStorage(config: Config, backup: BackupSource, id: string, log: Log, isReadOnly = false) {
	const isOfRowsAlone = backup.folder === null;
	let owner = id;
	const storage = await openStorage(config, {
		async findInstallationId(claimed) {
			if (isOfRowsAlone) owner = (await findStorageOwner(claimed)) ?? backup.header.installation;
			return owner;
		},
		hasFiles: async () => isOfRowsAlone,
		isReadOnly,
		log,
	});
	try {
		if (isOfRowsAlone) await requireUnusedStorage(storage, null);
		return { ...storage, owner };
	} catch (error) {
		await storage.close();
		throw error;
	}
}

/** Returns the id that an interrupted restore has given to its database and storage, or null. */
async function findRestoredId(db: Db): Promise<string | null> {
	const [id = '', ...source] = (await findBulkLoad(db))?.source.split(' ') ?? [];
	// The id alone, or with the installation and the time of the backup. Earlier versions recorded only the latter two.
	return id !== '' && [0, 2].includes(source.length) ? id : null;
}

async function restoreInto(config: Config, connection: Connection, backup: BackupSource, { log, report }: Tools) {
	const { installation, at, migrations: executed } = backup.header;
	await requireNoServers(connection);
	await requireEmptyTarget(connection.db);
	await copySecret(config, backup);
	const id = (await findRestoredId(connection.db)) ?? newId();
	// Records the id before the storage is marked with it. After this no server can start on the database.
	const isContinued = await prepareDatabase(connection.db, `${id} ${installation} ${at}`, executed);
	const { owner, ...storage } = await openTargetStorage(config, backup, id, log);
	try {
		report(
			isContinued
				? 'Continuing a restore that was interrupted.'
				: `Restoring Folio ${backup.header.version} as of ${at}.`,
		);
		const rows = await loadRows(connection.db, backup.rowsFile, report);
		const differences = await compareRows(connection, rows.sums, report);
		if (differences.length > 0) {
			// Makes the next attempt load all rows again.
			await setBulkLoadSource(connection.db, id);
			throw new Error(`The rows are not those of the backup: ${differences.join('; ')}. Run the restore again.`);
		}
		const files = await copyFiles(config, storage, backup, rows.sums.blobs?.rows ?? 0, report);
		const migrated = await migrate(connection.db);
		const discardedUploads = await inTransaction(connection.db, async (tx) => {
			const deletedCount = await deleteUnfinishedUploads(tx);
			await replaceInstallationId(tx, owner, systemClock);
			await finishBulkLoad(tx);
			return deletedCount;
		});
		const count = Object.values(rows.sums).reduce((sum, table) => sum + table.rows, 0);
		return {
			rows: count,
			files,
			migrated,
			discardedUploads,
			replacedNuls: rows.nuls,
			isOfRowsAlone: backup.folder === null,
		};
	} finally {
		await storage.close();
		await rm(temporaryFolderOf(config), { recursive: true, force: true });
	}
}

async function requireNoServers(connection: Connection): Promise<void> {
	await requireServersStopped(
		{ connection },
		await findExecutedMigrations(connection.db),
		'Stop the server first: what is restored would change meanwhile. One that was killed counts for a minute.',
	);
}

/** Returns what to know about the storage: files of rows alone belong to two databases, if the old one still exists. */
export function describeStorage({ files, isOfRowsAlone }: RestoreResult): string[] {
	return isOfRowsAlone
		? [
				`${formatCount(files.kept)} stored files were in this storage already. Never start a server with the old database again: its maintenance would remove what the new one adds.`,
			]
		: ['This is another installation than the original now: make its backups in new folders.'];
}

export function describeRestored(result: RestoreResult): string[] {
	const { rows, files, isOfRowsAlone, migrated, discardedUploads, replacedNuls } = result;
	const { problems } = files;
	const compared = isOfRowsAlone ? 'by its size; run `npm run cli -- fsck` to compare the bytes too' : 'with its hash';
	return [
		`${formatCount(rows)} rows and ${formatCount(files.files)} stored files (${formatStorage(files.bytes, 'en')}) are there, each compared ${compared}.`,
		...(migrated.length > 0 ? [`Migrated to this version: ${migrated.join(', ')}.`] : []),
		...(discardedUploads > 0 ? [`${discardedUploads} uploads that were under way must be started again.`] : []),
		...(replacedNuls > 0
			? [`${replacedNuls} texts contained a NUL character, which PostgreSQL cannot store: it was replaced by U+FFFD.`]
			: []),
		...problems.map(({ key, what }) => `${what === 'missing' ? 'missing' : 'differs from its row'}: ${key}`),
		...(problems.length > 0
			? [`${formatCount(problems.length)} stored files were not in the backup as their rows say.`]
			: []),
	];
}

async function copyFiles(
	config: Config,
	storage: Storage,
	{ folder, rowsFile, manifest }: BackupSource,
	count: number,
	report: ReportProgress,
): Promise<FilesOutcome> {
	const files = await forEachFile(listStoredFiles(rowsFile), count, report, async (file) => {
		if (folder !== null) return copyFromFolder(join(folder, filesFolder), file, storage, temporaryFolderOf(config));
		// A rows-only backup has no files, so the file must be in the storage already.
		const size = await storage.findSize(file.key);
		return size === file.sizeBytes ? 'kept' : { key: file.key, what: size === null ? 'missing' : 'differs' };
	});
	const known = new Set(manifest?.files.faults.map(({ key }) => key));
	const lost = files.problems.filter(({ key }) => folder !== null && !known.has(key));
	if (lost.length > 0)
		throw new PreconditionError(
			`The backup has lost files since it was made, or they were changed: ${lost
				.slice(0, 5)
				.map(({ key }) => key)
				.join(', ')} (${lost.length} in all). Bring them back and run it again, or restore another backup.`,
		);
	return files;
}

/** @throws PreconditionError without a secret that can decrypt the backup's texts; see {@link findSecret} */
async function requireSecret(config: Config, backup: BackupSource): Promise<void> {
	const secret = await findSecret(config, backup);
	if (secret === null)
		throw new PreconditionError('The secret of this backup was a setting and is not in it: set SECRET to what it was.');
	if (backupFingerprintOf(createSecrets(secret)) !== backup.header.secret)
		throw new PreconditionError(
			config.SECRET === undefined
				? 'The secret beside this backup is not the one that its texts are sealed with.'
				: 'SECRET is not the one that the texts of this backup are sealed with: set it to what it was.',
		);
}

async function findSecret(config: Config, { folder, manifest }: BackupSource): Promise<string | null> {
	if (config.SECRET !== undefined) return config.SECRET;
	const file =
		folder !== null && manifest?.secret.kept === 'here'
			? join(folder, manifest.secret.file)
			: secretFileOf(config.DATA_DIR);
	const text = await readFile(file, 'utf8').catch(ignoreMissingFile);
	return text === null ? null : text.trim();
}

/** Writes the backup's secret to the data folder. The file of a different secret there is renamed first. */
async function copySecret(config: Config, { folder, manifest }: BackupSource): Promise<void> {
	if (config.SECRET !== undefined || folder === null || manifest?.secret.kept !== 'here') return;
	const target = secretFileOf(config.DATA_DIR);
	const secret = (await readFile(join(folder, manifest.secret.file), 'utf8')).trim();
	const currentSecret = await readFile(target, 'utf8').catch(ignoreMissingFile);
	if (currentSecret?.trim() === secret) return;
	if (currentSecret !== null) await rename(target, `${target}.before-restore`);
	writeSecret(config.DATA_DIR, secret);
}

/** Returns the folder for temporary files. It is on the disk of the stored files, so that a rename can store a file. */
function temporaryFolderOf(config: Pick<Config, 'DATA_DIR'>): string {
	return join(config.DATA_DIR, 'restoring');
}
