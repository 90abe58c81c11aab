import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Config, ConfigError } from '../config.ts';
import { createFolder } from '../create-folder.ts';
import { classifyDbError } from '../database/errors.ts';

/** A lock that the operating system releases when this process ends in any way. */
export interface ProcessLock {
	release(): void;
}

/** How long to wait for a lock, because the system may release the locks of a killed process with a delay. */
const waitMs = 500;
/** SQLITE_NOTADB (sqlite.org/rescode.html). */
const noDatabaseCode = 26;
/** Keeps the databases in use. Otherwise the garbage collector would close them, which releases their locks. */
const openLocks = new Set<DatabaseSync>();

/**
 * Acquires the lock of a file: an open write transaction on an empty SQLite database, for which SQLite locks the file
 * (fcntl, or LockFileEx on Windows; sqlite.org/lockingv3.html). Nothing is written. No other code may open the file: on
 * POSIX, closing any descriptor of the file would release the lock (fcntl(2)). The file is never deleted, because then
 * two processes could lock two files of the same name.
 * @returns null while another process, or another part of this process, has the lock
 * @throws ConfigError when the file cannot be created or opened, or is not a lock file
 */
export function acquireProcessLock(file: string): ProcessLock | null {
	try {
		createFolder(dirname(file));
		return lockFile(file);
	} catch (error) {
		const { errcode, message } = error as Error & { errcode?: number };
		if (classifyDbError(error) === 'busy') return null;
		throw new ConfigError(
			errcode === noDatabaseCode
				? `${file} is not a lock file of Folio. Remove it while no server runs.`
				: `The lock file ${file} cannot be used (${message}). This user must be able to write to its folder, and its path must not be too long.`,
			{ cause: error },
		);
	}
}

/** @throws Error of SQLite, also while the file is locked */
function lockFile(file: string): ProcessLock {
	const isNew = !existsSync(file);
	const database = new DatabaseSync(file, { timeout: waitMs });
	try {
		// The journal is in memory, because a killed process would leave a journal file on the disk.
		database.exec('pragma journal_mode = memory; begin immediate');
		// Readable by its owner only, because any user who can read the file can lock it.
		if (isNew) chmodSync(file, 0o600);
		openLocks.add(database);
		return {
			release() {
				openLocks.delete(database);
				database.close();
			},
		};
	} catch (error) {
		database.close();
		throw error;
	}
}

export function serverLockOf({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
	return join(DATA_DIR, 'server.process-lock');
}

/** Acquires the lock for serving or restoring an embedded database; backups and other commands do not need it. */
export function acquireEmbeddedDatabaseLock(config: Pick<Config, 'DATA_DIR'>): ProcessLock | null {
	return acquireProcessLock(serverLockOf(config));
}

/**
 * Acquires the lock of an embedded database for one server. Call before anything in its folder is read or created.
 * @returns null for PostgreSQL, which several servers can use
 * @throws ConfigError when the lock file cannot be used, or another process has the lock: servers of an embedded
 * database do not receive each other's events
 */
export function acquireServerLock(config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): ProcessLock | null {
	if (config.DATABASE_URL !== undefined) return null;
	const lock = acquireEmbeddedDatabaseLock(config);
	if (lock === null)
		throw new ConfigError(
			`Another process already serves or restores DATA_DIR ${config.DATA_DIR}. Only one process at a time can use the embedded database: stop the other one, or move to PostgreSQL.`,
		);
	return lock;
}
