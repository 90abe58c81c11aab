import type { Insertable } from 'kysely';
import type { Db, Schema } from '../../db/schema.ts';

export async function insertAuditEntry(db: Db, entry: Insertable<Schema['audit']>): Promise<void> {
	await db.insertInto('audit').values(entry).execute();
}
