import { databaseTime } from '../../db/database-time.ts';
import type { Db, Schema } from '../../db/schema.ts';

type HoldKind = Schema['holds']['kind'];

interface NewHold {
	id: string;
	kind: HoldKind;
	detail: string;
	/** How long it stands unless it is renewed. */
	seconds: number;
}

export async function insertHold(db: Db, { id, kind, detail, seconds }: NewHold): Promise<void> {
	const until = databaseTime(db, seconds);
	await db
		.insertInto('holds')
		.values({ id, kind, detail, until, created_at: databaseTime(db) })
		.onConflict((conflict) => conflict.column('id').doUpdateSet({ until }))
		.execute();
}

/** @returns false when it is not there any more */
export async function renewHold(db: Db, id: string, seconds: number): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('holds')
		.set({ until: databaseTime(db, seconds) })
		.where('id', '=', id)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function deleteHold(db: Db, id: string): Promise<void> {
	await db.deleteFrom('holds').where('id', '=', id).execute();
}

export async function deleteHoldsOf(db: Db, kind: HoldKind): Promise<void> {
	await db.deleteFrom('holds').where('kind', '=', kind).execute();
}

export async function deleteLapsedHolds(db: Db): Promise<void> {
	await db.deleteFrom('holds').where('until', '<=', databaseTime(db)).execute();
}

export function listHolds(db: Db, kind: HoldKind) {
	return db
		.selectFrom('holds')
		.select(['id', 'detail', 'until', 'created_at as createdAt'])
		.where('kind', '=', kind)
		.where('until', '>', databaseTime(db))
		.orderBy('created_at')
		.execute();
}

export async function hasHold(db: Db, kind: HoldKind): Promise<boolean> {
	const row = await db
		.selectFrom('holds')
		.select('id')
		.where('kind', '=', kind)
		.where('until', '>', databaseTime(db))
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}
