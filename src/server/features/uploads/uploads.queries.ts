import type { Insertable } from 'kysely';
import type { Db, Schema } from '../../db/schema.ts';

export type UploadRow = NonNullable<Awaited<ReturnType<typeof findUpload>>>;

export function findUpload(db: Db, id: string) {
	return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertUpload(db: Db, row: Insertable<Schema['uploads']>): Promise<void> {
	await db.insertInto('uploads').values(row).execute();
}

export async function markUploadFinished(tx: Db, id: string, nodeId: string, now: string): Promise<void> {
	await tx.updateTable('uploads').set({ finished_at: now, node_id: nodeId }).where('id', '=', id).execute();
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
	await db.deleteFrom('uploads').where('id', '=', id).execute();
}

export function listUnfinishedUploads(db: Db) {
	return db.selectFrom('uploads').selectAll().where('finished_at', 'is', null).orderBy('id').execute();
}
