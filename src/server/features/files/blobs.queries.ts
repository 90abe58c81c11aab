import type { Db } from '../../db/schema.ts';

/** Deletes those of these blobs that no file, no proof and no thumbnail points at. @returns their storage keys */
export async function deleteUnusedBlobs(tx: Db, ids: string[]): Promise<string[]> {
	const rows = await tx
		.deleteFrom('blobs')
		.where('id', 'in', ids)
		.where((where) =>
			where.and(
				[
					where.selectFrom('nodes').select('nodes.id').whereRef('nodes.blob_id', '=', 'blobs.id'),
					where.selectFrom('proofs').select('proofs.id').whereRef('proofs.blob_id', '=', 'blobs.id'),
					where.selectFrom('proofs').select('proofs.id').whereRef('proofs.thumb_blob_id', '=', 'blobs.id'),
					where.selectFrom('thumbnails').select('blob_id').whereRef('thumbnails.thumb_blob_id', '=', 'blobs.id'),
				].map((uses) => where.not(where.exists(uses as never))),
			),
		)
		.returning('storage_key as storageKey')
		.execute();
	return rows.map((row) => row.storageKey);
}
