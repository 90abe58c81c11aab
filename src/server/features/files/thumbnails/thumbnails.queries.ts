import type { Insertable } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

/** Returns which of the blobs have a row, also those of which no thumbnail could be made. */
export async function listMade(db: Db, blobIds: readonly string[]): Promise<Set<string>> {
	const rows = await db.selectFrom('thumbnails').select('blob_id').where('blob_id', 'in', blobIds).execute();
	return new Set(rows.map((row) => row.blob_id));
}

/** Inserts or replaces thumbnails. @returns the ids of the replaced pictures */
export async function upsertThumbnails(tx: Db, rows: Array<Insertable<Schema['thumbnails']>>): Promise<string[]> {
	const before = await tx
		.selectFrom('thumbnails')
		.select('thumb_blob_id as id')
		.where(
			'blob_id',
			'in',
			rows.map((row) => row.blob_id),
		)
		.where('thumb_blob_id', 'is not', null)
		.execute();
	await tx
		.insertInto('thumbnails')
		.values(rows)
		.onConflict((conflict) =>
			conflict.column('blob_id').doUpdateSet((set) => ({
				thumb_blob_id: set.ref('excluded.thumb_blob_id'),
				made_at: set.ref('excluded.made_at'),
			})),
		)
		.execute();
	return before.flatMap(({ id }) => id ?? []);
}

export async function listSpacesOfBlobs(db: Db, blobIds: readonly string[]): Promise<string[]> {
	const rows = await db
		.selectFrom('nodes')
		.select('owner_id as ownerId')
		.distinct()
		.where('blob_id', 'in', blobIds)
		.where('deleted_at', 'is', null)
		.execute();
	return rows.map((row) => row.ownerId);
}
