import { databaseTime } from '../../database/database-time.ts';
import type { Db, Schema } from '../../database/schema.ts';

type ProcessLeaseKind = Schema['holds']['kind'];

interface NewProcessLease {
	id: string;
	kind: ProcessLeaseKind;
	detail: string;
	/** How long it stands unless it is renewed. */
	seconds: number;
}

export async function insertProcessLease(db: Db, { id, kind, detail, seconds }: NewProcessLease): Promise<void> {
	const until = databaseTime(db, seconds);
	await db
		.insertInto('holds')
		.values({ id, kind, detail, until, created_at: databaseTime(db) })
		.onConflict((conflict) => conflict.column('id').doUpdateSet({ until }))
		.execute();
}

/** @returns false when it is not there any more */
export async function renewProcessLease(db: Db, id: string, seconds: number): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('holds')
		.set({ until: databaseTime(db, seconds) })
		.where('id', '=', id)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function deleteProcessLease(db: Db, id: string): Promise<void> {
	await db.deleteFrom('holds').where('id', '=', id).execute();
}

export async function deleteProcessLeasesOfKind(db: Db, kind: ProcessLeaseKind): Promise<void> {
	await db.deleteFrom('holds').where('kind', '=', kind).execute();
}

export async function deleteExpiredProcessLeases(db: Db): Promise<void> {
	await db.deleteFrom('holds').where('until', '<=', databaseTime(db)).execute();
}

export function listProcessLeases(db: Db, kind: ProcessLeaseKind) {
	return db
		.selectFrom('holds')
		.select(['id', 'detail', 'until', 'created_at as createdAt'])
		.where('kind', '=', kind)
		.where('until', '>', databaseTime(db))
		.orderBy('created_at')
		.execute();
}

export async function hasProcessLease(db: Db, kind: ProcessLeaseKind): Promise<boolean> {
	const row = await db
		.selectFrom('holds')
		.select('id')
		.where('kind', '=', kind)
		.where('until', '>', databaseTime(db))
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}
