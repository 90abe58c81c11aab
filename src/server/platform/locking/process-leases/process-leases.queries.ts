import type { Kysely } from 'kysely';
import { databaseTime } from '../../database/connection.ts';
import type { Db, Schema } from '../../database/schema.ts';

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

export async function deleteProcessLeasesOfKind(db: Db, kind: ProcessLeaseKind): Promise<void> {
	await db.deleteFrom('process_leases').where('kind', '=', kind).execute();
}

export async function deleteExpiredProcessLeases(db: Db): Promise<void> {
	await db.deleteFrom('process_leases').where('expires_at', '<=', databaseTime(db)).execute();
}

export function listProcessLeases(db: Db, kind: ProcessLeaseKind) {
	return db
		.selectFrom('process_leases')
		.select(['id', 'detail', 'expires_at', 'created_at as createdAt'])
		.where('kind', '=', kind)
		.where('expires_at', '>', databaseTime(db))
		.orderBy('created_at')
		.execute();
}

/**
 * Returns the server leases of a partly migrated database, where `executed` are its migrations. The table was called
 * `holds` before 0021, and did not exist before 0015.
 */
export async function listServersBeforeMigration(db: Db, executed: string[]) {
	if (!executed.includes('0015-backups')) return [];
	if (executed.includes('0021-plain-names')) return listProcessLeases(db, 'server');
	return (db as unknown as Kysely<{ holds: Record<'kind' | 'detail' | 'until' | 'created_at', string> }>)
		.selectFrom('holds')
		.select(['detail', 'created_at as createdAt'])
		.where('kind', '=', 'server')
		.where('until', '>', databaseTime(db))
		.orderBy('created_at')
		.execute();
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
