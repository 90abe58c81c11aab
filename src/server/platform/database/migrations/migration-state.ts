import { sql } from 'kysely';
import { listTableNames } from '../bulk-copy/table-catalog.ts';
import { isPostgres } from '../connection.ts';
import type { Db } from '../schema.ts';
import { findSetting, writeSetting } from '../settings.ts';
import { acquireNamedLock } from '../transaction.ts';

/** Key of the setting that lists the migrations that are compatible with the previous release. */
const compatibleMigrationsKey = 'migrations-that-let-the-previous-go-on';

/** Returns the names of the executed migrations, oldest first; none for a new database. */
export async function findExecutedMigrations(db: Db): Promise<string[]> {
	if (!(await listTableNames(db)).includes('kysely_migration')) return [];
	const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
	return rows.map(({ name }) => name);
}

export async function readCompatibleMigrations(db: Db): Promise<string[]> {
	const row = await findSetting(db, compatibleMigrationsKey);
	return row === undefined ? [] : (JSON.parse(row.value) as string[]);
}

/** Stores which migrations are compatible with the previous release, which reads the list when it starts. */
export async function writeCompatibleMigrations(db: Db, names: string[]): Promise<void> {
	const value = JSON.stringify(names.toSorted());
	const row = await findSetting(db, compatibleMigrationsKey);
	if ((row?.value ?? '[]') === value) return;
	await writeSetting(db, compatibleMigrationsKey, value, (row?.version ?? 0) + 1, new Date().toISOString());
}

/**
 * Runs `work` while no other process migrates this database. On PostgreSQL an open transaction holds the lock, so that
 * it is released when the process ends, even if a connection pooler is used. SQLite needs no lock, because only one
 * server uses the database.
 */
export async function withMigrationLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
	if (!isPostgres(db)) return work();
	return db.transaction().execute(async (tx) => {
		await acquireNamedLock(tx, 'migrate');
		return work();
	});
}
