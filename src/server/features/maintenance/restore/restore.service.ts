import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecrets, secretFileOf, secretFingerprintOf, writeSecret } from '../../../platform/auth/secrets.ts';
import type { Config } from '../../../platform/config.ts';
import {
	acquireLoadingLock,
	finishBulkLoad,
	setBulkLoadSource,
} from '../../../platform/database/bulk-copy/bulk-load.ts';
import type { Connection } from '../../../platform/database/connection.ts';
import { migrate, migrations } from '../../../platform/database/migrations/migrate.ts';
import { findExecutedMigrations } from '../../../platform/database/migrations/migration-state.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { requireServersStopped } from '../../../platform/locking/leases/process-leases.ts';
import type { Log } from '../../../platform/log.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { ignoreMissingFile } from '../../../platform/storage/storage.ts';
import { type BackupSource, filesFolder, listStoredFiles, openBackup, secretName } from '../backup/backup-folder.ts';
import {
	formatBytes,
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
 * continues the restore. For a rows-only backup made before an upgrade, the files must still be in the storage.
 * @throws PreconditionError when the backup is incomplete, or the installation is in use, has another secret or is
 * being restored by another process
 */
export async function restore(config: Config, connection: Connection, path: string, tools: Tools) {
	// This lock protects the data folder: the secret, temporary files and an embedded database. A PostgreSQL database,
	// which several machines may share, is protected by the loading lock below.
	const lock = join(config.DATA_DIR, 'restore.process-lock');
	return withProcessLock(lock, `Another restore into ${config.DATA_DIR}`, () =>
		withEmbeddedDatabaseLock(config, async () => {
			const release = await acquireLoadingLock(connection);
			if (release === null)
				throw new PreconditionError('Another restore into this database is under way: wait for its end.');
			try {
				return await restoreInto(config, connection, path, tools);
			} finally {
				await release();
			}
		}),
	);
}

interface Tools {
	log: Log;
	say: ReportProgress;
}

async function restoreInto(config: Config, connection: Connection, path: string, { log, say }: Tools) {
	const backup = await openBackup(path);
	const { installation, at, migrations: executed } = backup.header;
	const unknown = executed.find((name) => !Object.hasOwn(migrations, name));
	if (unknown !== undefined)
		throw new PreconditionError(
			`This backup was made by a newer version of Folio (${backup.header.version}, ${unknown}). Restore it with that version.`,
		);
	await requireSecret(config, backup);
	await requireNoServers(connection);
	await requireEmptyTarget(connection.db);
	await copySecret(config, backup);
	const storage = await openStorage(config, {
		findInstallationId: async () => installation,
		// A rows-only backup has no files. The files in the storage must already be those of this installation.
		hasFiles: async () => backup.folder === null,
		log,
	});
	try {
		// Checked again, because opening the storage may take long. After prepareDatabase() no server can start on the
		// database.
		await requireNoServers(connection);
		const isContinued = await prepareDatabase(connection.db, `${installation} ${at}`, executed);
		say(
			isContinued
				? 'Going on with a restore that was interrupted.'
				: `Restoring Folio ${backup.header.version} as of ${at}.`,
		);
		const rows = await loadRows(connection.db, backup.rowsFile, say);
		const differences = await compareRows(connection, rows.sums, say);
		if (differences.length > 0) {
			// Makes the next attempt load all rows again.
			await setBulkLoadSource(connection.db, '');
			throw new Error(`The rows are not those of the backup: ${differences.join('; ')}. Run the restore again.`);
		}
		const files = await copyFiles(config, storage, backup, rows.sums.blobs?.rows ?? 0, say);
		const migrated = await migrate(connection.db);
		const discardedUploads = await inTransaction(connection.db, async (tx) => {
			const deletedCount = await deleteUnfinishedUploads(tx);
			await finishBulkLoad(tx);
			return deletedCount;
		});
		const count = Object.values(rows.sums).reduce((sum, table) => sum + table.rows, 0);
		return { rows: count, files, migrated, discardedUploads, replacedNuls: rows.nuls };
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

/**
 * Returns a warning if files were in the storage already, because it may be the storage of the original installation.
 * Files of an interrupted restore also cause the warning.
 */
export function warnOfSharedStorage({ files }: RestoreResult): string[] {
	if (files.kept === 0) return [];
	return [
		`${formatCount(files.kept)} stored files were in this storage already. If it is the storage of the old server, never start that server again: its maintenance would remove what the new one adds.`,
	];
}

export function describeRestored({ rows, files, migrated, discardedUploads, replacedNuls }: RestoreResult): string[] {
	const { faults } = files;
	return [
		`${formatCount(rows)} rows and ${formatCount(files.files)} stored files (${formatBytes(files.bytes)}) are there, each compared with its hash.`,
		...(migrated.length > 0 ? [`Brought up to this version: ${migrated.join(', ')}.`] : []),
		...(discardedUploads > 0 ? [`${discardedUploads} uploads that were under way have to be begun again.`] : []),
		...(replacedNuls > 0
			? [`${replacedNuls} texts held a NUL sign, which PostgreSQL cannot keep: it became U+FFFD.`]
			: []),
		...faults.map(({ key, what }) => `${what === 'missing' ? 'missing' : 'differs from its row'}: ${key}`),
		...(faults.length > 0
			? [`${formatCount(faults.length)} stored files were not in the backup as their rows say.`]
			: []),
	];
}

async function copyFiles(
	config: Config,
	storage: Storage,
	{ folder, rowsFile, manifest }: BackupSource,
	count: number,
	say: ReportProgress,
): Promise<FilesOutcome> {
	const files = await forEachFile(listStoredFiles(rowsFile), count, say, async (file) => {
		if (folder !== null) return copyFromFolder(join(folder, filesFolder), file, storage, temporaryFolderOf(config));
		// A rows-only backup has no files, so the file must be in the storage already.
		return (await storage.findSize(file.key)) === file.sizeBytes ? 'kept' : { key: file.key, what: 'missing' };
	});
	const known = new Set(manifest?.files.faults.map(({ key }) => key));
	const lost = files.faults.filter(({ key }) => folder !== null && !known.has(key));
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
	if (secretFingerprintOf(createSecrets(secret)) !== backup.header.secret)
		throw new PreconditionError(
			config.SECRET === undefined
				? 'The secret beside this backup is not the one that its texts are sealed with.'
				: 'SECRET is not the one that the texts of this backup are sealed with: set it to what it was.',
		);
}

async function findSecret(config: Config, { folder, manifest }: BackupSource): Promise<string | null> {
	if (config.SECRET !== undefined) return config.SECRET;
	const file =
		folder !== null && manifest?.secret.kept === 'here' ? join(folder, secretName) : secretFileOf(config.DATA_DIR);
	const text = await readFile(file, 'utf8').catch(ignoreMissingFile);
	return text === null ? null : text.trim();
}

/** Writes the backup's secret to the data folder. The file of a different secret there is renamed first. */
async function copySecret(config: Config, { folder, manifest }: BackupSource): Promise<void> {
	if (config.SECRET !== undefined || folder === null || manifest?.secret.kept !== 'here') return;
	const target = secretFileOf(config.DATA_DIR);
	const secret = (await readFile(join(folder, secretName), 'utf8')).trim();
	const currentSecret = await readFile(target, 'utf8').catch(ignoreMissingFile);
	if (currentSecret?.trim() === secret) return;
	if (currentSecret !== null) await rename(target, `${target}.before-restore`);
	writeSecret(config.DATA_DIR, secret);
}

/** Returns the folder for temporary files. It is on the disk of the stored files, so that a rename can store a file. */
function temporaryFolderOf(config: Pick<Config, 'DATA_DIR'>): string {
	return join(config.DATA_DIR, 'restoring');
}
