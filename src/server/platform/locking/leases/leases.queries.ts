import { sql } from 'kysely';
import { listTableNames } from '../../database/bulk-copy/table-catalog.ts';
import { databaseTime } from '../../database/connection.ts';
import type { Db, Schema } from '../../database/schema.ts';

/** Inserts a lease, or takes over an expired one. @returns false while another owner's lease is valid */
export async function insertLease(db: Db, name: string, owner: string, seconds: number): Promise<boolean> {
	const expiresAt = databaseTime(db, seconds);
	const { numInsertedOrUpdatedRows } = await db
		.insertInto('leases')
		.values({ name, owner, expires_at: expiresAt })
		.onConflict((conflict) =>
			conflict
				.column('name')
				.doUpdateSet({ owner, expires_at: expiresAt })
				.where('leases.expires_at', '<', databaseTime(db)),
		)
		.executeTakeFirst();
	return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns false when another owner has taken over the expired lease, or its row was deleted */
export async function renewLease(db: Db, name: string, owner: string, seconds: number): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('leases')
		.set({ expires_at: databaseTime(db, seconds) })
		.where('name', '=', name)
		.where('owner', '=', owner)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function deleteLease(db: Db, name: string, owner: string): Promise<void> {
	await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
}

export async function findLeasedNames(db: Db, names: string[]): Promise<string[]> {
	if (names.length === 0) return [];
	const rows = await db
		.selectFrom('leases')
		.select('name')
		.where('name', 'in', names)
		.where('expires_at', '>=', databaseTime(db))
		.execute();
	return rows.map(({ name }) => name);
}

/** Deletes leases that expired more than an hour ago. */
export async function deleteExpiredLeases(db: Db): Promise<void> {
	await db.deleteFrom('leases').where('expires_at', '<', databaseTime(db, -3600)).execute();
}

type ProcessLeaseKind = Schema['process_leases']['kind'];

interface NewProcessLease {
	id: string;
	kind: ProcessLeaseKind;
	detail: string;
	/** How long the lease is valid unless renewed. */
	seconds: number;
}

export async function insertProcessLease(db: Db, { id, kind, detail, seconds }: NewProcessLease): Promise<void> {
	const expires_at = databaseTime(db, seconds);
	await db
		.insertInto('process_leases')
		.values({ id, kind, detail, expires_at, created_at: databaseTime(db) })
		.onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at }))
		.execute();
}

/** @returns false when the lease no longer exists */
export async function renewProcessLease(db: Db, id: string, seconds: number): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('process_leases')
		.set({ expires_at: databaseTime(db, seconds) })
		.where('id', '=', id)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function deleteProcessLease(db: Db, id: string): Promise<void> {
	await db.deleteFrom('process_leases').where('id', '=', id).execute();
}

export async function deleteExpiredProcessLeases(db: Db): Promise<void> {
	await db.deleteFrom('process_leases').where('expires_at', '<=', databaseTime(db)).execute();
}

/**
 * Returns the valid server leases of a database with the migrations `executed`: from 0015 to 0020 the table was named
 * `holds`. The table is missing if a restore was killed while it dropped all tables.
 */
export async function listServersBeforeMigration(db: Db, executed: string[]) {
	if (!executed.includes('0015-backups')) return [];
	const isRenamed = executed.includes('0021-plain-names');
	const [table, expiry] = isRenamed ? (['process_leases', 'expires_at'] as const) : (['holds', 'until'] as const);
	if (!(await listTableNames(db)).includes(table)) return [];
	const { rows } = await sql<{ detail: string; createdAt: string }>`select detail, created_at as "createdAt"
		from ${sql.table(table)} where kind = 'server' and ${sql.ref(expiry)} > ${databaseTime(db)}
		order by created_at`.execute(db);
	return rows;
}

export async function hasProcessLease(db: Db, kind: ProcessLeaseKind): Promise<boolean> {
	const row = await db
		.selectFrom('process_leases')
		.select('id')
		.where('kind', '=', kind)
		.where('expires_at', '>', databaseTime(db))
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}
