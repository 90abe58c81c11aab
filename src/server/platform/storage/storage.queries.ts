import type { Db } from '../database/schema.ts';

/** Maximum number of rows in one statement; both databases accept about 30,000 values. */
const batchSize = 1000;

/** Records keys whose bytes will be deleted after the running backups. */
export async function insertDeferredDeletes(db: Db, keys: readonly string[], now: string): Promise<void> {
	for (let start = 0; start < keys.length; start += batchSize)
		await db
			.insertInto('deferred_deletes')
			.values(keys.slice(start, start + batchSize).map((storage_key) => ({ storage_key, created_at: now })))
			.onConflict((conflict) => conflict.column('storage_key').doNothing())
			.execute();
}

export async function listDeferredDeletes(db: Db, after: string, limit: number): Promise<string[]> {
	const rows = await db
		.selectFrom('deferred_deletes')
		.select('storage_key')
		.where('storage_key', '>', after)
		.orderBy('storage_key')
		.limit(limit)
		.execute();
	return rows.map((row) => row.storage_key);
}

export async function deleteDeferredDeletes(db: Db, keys: string[]): Promise<void> {
	await db.deleteFrom('deferred_deletes').where('storage_key', 'in', keys).execute();
}

/** Returns the keys to which a blob refers. */
export async function findReferencedKeys(db: Db, keys: string[]): Promise<Set<string>> {
	const rows = await db.selectFrom('blobs').select('storage_key').where('storage_key', 'in', keys).execute();
	return new Set(rows.map((row) => row.storage_key));
}

export async function hasStoredBytes(db: Db): Promise<boolean> {
	return (await db.selectFrom('blobs').select('id').limit(1).executeTakeFirst()) !== undefined;
}
