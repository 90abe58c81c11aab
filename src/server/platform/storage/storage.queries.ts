import type { Db } from '../database/schema.ts';

/** Rows of one statement: both databases take some 30,000 values. */
const batchSize = 1000;

/** Notes keys whose bytes are to be removed later. */
export async function insertDeferredDeletes(db: Db, keys: readonly string[], now: string): Promise<void> {
	for (let at = 0; at < keys.length; at += batchSize)
		await db
			.insertInto('put_off_removals')
			.values(keys.slice(at, at + batchSize).map((storage_key) => ({ storage_key, created_at: now })))
			.onConflict((conflict) => conflict.column('storage_key').doNothing())
			.execute();
}

export async function listDeferredDeletes(db: Db, after: string, limit: number): Promise<string[]> {
	const rows = await db
		.selectFrom('put_off_removals')
		.select('storage_key')
		.where('storage_key', '>', after)
		.orderBy('storage_key')
		.limit(limit)
		.execute();
	return rows.map((row) => row.storage_key);
}

export async function deleteDeferredDeletes(db: Db, keys: string[]): Promise<void> {
	await db.deleteFrom('put_off_removals').where('storage_key', 'in', keys).execute();
}

/** Those of the keys that a row of stored bytes has. */
export async function findReferencedKeys(db: Db, keys: string[]): Promise<Set<string>> {
	const rows = await db.selectFrom('blobs').select('storage_key').where('storage_key', 'in', keys).execute();
	return new Set(rows.map((row) => row.storage_key));
}

/** Whether there is a row of stored bytes at all. */
export async function hasStoredBytes(db: Db): Promise<boolean> {
	return (await db.selectFrom('blobs').select('id').limit(1).executeTakeFirst()) !== undefined;
}
