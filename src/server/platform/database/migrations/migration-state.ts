import { PostgresAdapter, sql } from 'kysely';
import { listTableNames } from '../bulk-copy/table-catalog.ts';
import type { Db } from '../schema.ts';
import { findSetting, writeSetting } from '../settings.ts';
import { acquireNamedLock } from '../transaction.ts';

/** Key of the setting that lists the migrations that are compatible with the previous release. */
const compatibleMigrationsKey = 'migrations-that-let-the-previous-go-on';

/** Returns the migrations that the database has, oldest first; none for a new database. */
export async function findExecutedMigrations(db: Db): Promise<string[]> {
	if (!(await listTableNames(db)).includes('kysely_migration')) return [];
	const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
	return rows.map(({ name }) => name);
}

export async function readCompatibleMigrations(db: Db): Promise<string[]> {
	const row = await findSetting(db, compatibleMigrationsKey);
	return row === undefined ? [] : (JSON.parse(row.value) as string[]);
}

/** Saves which migrations are compatible: an older program, which does not know them, reads this at its start. */
export async function writeCompatibleMigrations(db: Db, names: string[]): Promise<void> {
	const wanted = JSON.stringify(names.toSorted());
	const row = await findSetting(db, compatibleMigrationsKey);
	if ((row?.value ?? '[]') === wanted) return;
	await writeSetting(db, compatibleMigrationsKey, wanted, (row?.version ?? 0) + 1, new Date().toISOString());
}

/**
 * Runs `work` while no other process migrates this database. On PostgreSQL a separate connection holds the lock in an
 * open transaction, so that it ends with the process, also behind a pooler. SQLite needs no lock: it has one server.
 */
export async function withMigrationLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
	if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return work();
	return db.transaction().execute(async (tx) => {
		await acquireNamedLock(tx, 'migrate');
		return work();
	});
}
