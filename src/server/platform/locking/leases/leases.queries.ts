import { databaseTime } from '../../database/database-time.ts';
import type { Db } from '../../database/schema.ts';

/** @returns false while somebody else holds the name */
export async function insertLease(db: Db, name: string, holder: string, seconds: number): Promise<boolean> {
	const until = databaseTime(db, seconds);
	const row = await db
		.insertInto('leases')
		.values({ name, holder, leased_until: until })
		.onConflict((conflict) =>
			conflict
				.column('name')
				.doUpdateSet({ holder, leased_until: until })
				.where('leases.leased_until', '<', databaseTime(db)),
		)
		.returning('name')
		.executeTakeFirst();
	return row !== undefined;
}

/** @returns false when it has lapsed and somebody else has taken it, or its row is gone */
export async function renewLease(db: Db, name: string, holder: string, seconds: number): Promise<boolean> {
	const row = await db
		.updateTable('leases')
		.set({ leased_until: databaseTime(db, seconds) })
		.where('name', '=', name)
		.where('holder', '=', holder)
		.returning('name')
		.executeTakeFirst();
	return row !== undefined;
}

export async function deleteLease(db: Db, name: string, holder: string): Promise<void> {
	await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
}

/** Which of these names somebody holds. */
export async function findLeasedNames(db: Db, names: string[]): Promise<string[]> {
	if (names.length === 0) return [];
	const rows = await db
		.selectFrom('leases')
		.select('name')
		.where('name', 'in', names)
		.where('leased_until', '>=', databaseTime(db))
		.execute();
	return rows.map(({ name }) => name);
}

/** What lapsed more than an hour ago. */
export async function deleteExpiredLeases(db: Db): Promise<void> {
	await db.deleteFrom('leases').where('leased_until', '<', databaseTime(db, -3600)).execute();
}
