import type { Db } from '../../db/schema.ts';

/** Whether there is a row of stored bytes at all. */
export async function hasStoredBytes(db: Db): Promise<boolean> {
	return (await db.selectFrom('blobs').select('id').limit(1).executeTakeFirst()) !== undefined;
}
