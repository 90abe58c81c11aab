import type { Insertable } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export function findThumbnail(db: Db, blobId: string) {
	return db.selectFrom('thumbnails').selectAll().where('blob_id', '=', blobId).executeTakeFirst();
}

export async function upsertThumbnail(tx: Db, row: Insertable<Schema['thumbnails']>): Promise<void> {
	await tx
		.insertInto('thumbnails')
		.values(row)
		.onConflict((conflict) =>
			conflict.column('blob_id').doUpdateSet({ thumb_blob_id: row.thumb_blob_id ?? null, made_at: row.made_at }),
		)
		.execute();
}

export async function listSpacesOfBlob(db: Db, blobId: string): Promise<string[]> {
	const rows = await db
		.selectFrom('nodes')
		.select('owner_id as ownerId')
		.distinct()
		.where('blob_id', '=', blobId)
		.where('deleted_at', 'is', null)
		.execute();
	return rows.map((row) => row.ownerId);
}
