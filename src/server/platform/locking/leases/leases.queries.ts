import { databaseTime } from '../../database/connection.ts';
import type { Db } from '../../database/schema.ts';

/** @returns false while another holder has the name */
export async function insertLease(db: Db, name: string, owner: string, seconds: number): Promise<boolean> {
	const expiresAt = databaseTime(db, seconds);
	const row = await db
		.insertInto('leases')
		.values({ name, owner, expires_at: expiresAt })
		.onConflict((conflict) =>
			conflict
				.column('name')
				.doUpdateSet({ owner, expires_at: expiresAt })
				.where('leases.expires_at', '<', databaseTime(db)),
		)
		.returning('name')
		.executeTakeFirst();
	return row !== undefined;
}

/** @returns false when the lease has expired and another holder has taken it, or its row is gone */
export async function renewLease(db: Db, name: string, owner: string, seconds: number): Promise<boolean> {
	const row = await db
		.updateTable('leases')
		.set({ expires_at: databaseTime(db, seconds) })
		.where('name', '=', name)
		.where('owner', '=', owner)
		.returning('name')
		.executeTakeFirst();
	return row !== undefined;
}

export async function deleteLease(db: Db, name: string, owner: string): Promise<void> {
	await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute();
}

/** Returns those of the names that are leased. */
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
