import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Config, ConfigError } from '../config.ts';

/** A lock of the operating system, which releases it when this process ends, however it ends. */
export interface ProcessLock {
	release(): void;
}

/** Covers the time until the system releases the locks of a killed process, or another process has tried the file. */
const waitMs = 500;
/** SQLITE_BUSY and SQLITE_LOCKED (sqlite.org/rescode.html). */
const busyCodes = [5, 6];
/** SQLITE_NOTADB. */
const noDatabaseCode = 26;
/** A database that nothing refers to is closed by the garbage collector. */
const openLocks = new Set<DatabaseSync>();

/**
 * Takes the lock of a file: one open write transaction of an empty SQLite database, which holds a file lock of the
 * operating system (fcntl, or LockFileEx on Windows; sqlite.org/lockingv3.html) and never writes. Nothing but this
 * function may open the file: when a process closes it by other means, POSIX drops the lock (fcntl(2)). It is never
 * deleted, because then two processes could each lock a file of the same name.
 * @returns null while another process, or another part of this one, holds it
 * @throws ConfigError, in one line, when the file cannot be made or opened, or is something else
 */
export function acquireProcessLock(file: string): ProcessLock | null {
	try {
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		return lockFile(file);
	} catch (error) {
		const { errcode, message } = error as Error & { errcode?: number };
		if (busyCodes.includes(errcode ?? 0)) return null;
		throw new ConfigError(
			errcode === noDatabaseCode
				? `${file} is not a lock file of Folio. Remove it while no server runs.`
				: `The lock file ${file} cannot be used (${message}). Its folder must be one that this user can write to, and its path not too long.`,
			{ cause: error },
		);
	}
}

/** @throws Error of SQLite, also while the file is locked */
function lockFile(file: string): ProcessLock {
	const isNew = !existsSync(file);
	const database = new DatabaseSync(file, { timeout: waitMs });
	try {
		// A killed process would leave a journal file on the disk.
		database.exec('pragma journal_mode = memory; begin immediate');
		// Any user who can read the file can lock it.
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

/** Takes the lock for serving or restoring an embedded database; backups and other commands take none. */
export function acquireEmbeddedDatabaseLock({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): ProcessLock | null {
	return acquireProcessLock(join(DATA_DIR, 'server.process-lock'));
}

/**
 * Takes the lock of an embedded database for one server, before anything in its folder is read or created.
 * @returns null for PostgreSQL, which any number of processes serve
 * @throws ConfigError when the lock cannot be used, or while another process holds it, because neither would know what
 * the other has in memory
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
