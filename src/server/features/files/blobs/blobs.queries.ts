import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

/** Deletes those of these blobs that nothing points at, and their thumbnails. @returns the storage keys of all of them */
export async function deleteUnusedBlobs(tx: Db, ids: string[]): Promise<string[]> {
	const thumbnails = await tx
		.selectFrom('thumbnails')
		.select('thumb_blob_id as id')
		.where('blob_id', 'in', ids)
		.where('thumb_blob_id', 'is not', null)
		.execute();
	const keys = await deleteUnusedRows(tx, ids);
	if (keys.length === 0 || thumbnails.length === 0) return keys;
	return [
		...keys,
		...(await deleteUnusedRows(
			tx,
			thumbnails.flatMap(({ id }) => id ?? []),
		)),
	];
}

async function deleteUnusedRows(tx: Db, ids: string[]): Promise<string[]> {
	const rows = await tx
		.deleteFrom('blobs')
		.where('id', 'in', ids)
		.where(isUnusedBlob)
		.returning('storage_key as storageKey')
		.execute();
	return rows.map((row) => row.storageKey);
}

/** No file, no proof, no thumbnail, no message, no canned reply and no marked copy points at the blob. Settings may: their blobs are known by id. */
export function isUnusedBlob(where: ExpressionBuilder<Schema, 'blobs'>): Expression<SqlBool> {
	return where.and(
		[
			where.selectFrom('nodes').select('nodes.id').whereRef('nodes.blob_id', '=', 'blobs.id'),
			where.selectFrom('proofs').select('proofs.id').whereRef('proofs.blob_id', '=', 'blobs.id'),
			where.selectFrom('proofs').select('proofs.id').whereRef('proofs.thumb_blob_id', '=', 'blobs.id'),
			where.selectFrom('thumbnails').select('blob_id').whereRef('thumbnails.thumb_blob_id', '=', 'blobs.id'),
			where.selectFrom('messages').select('messages.id').whereRef('messages.blob_id', '=', 'blobs.id'),
			where
				.selectFrom('canned_reply_files')
				.select('canned_reply_files.id')
				.whereRef('canned_reply_files.blob_id', '=', 'blobs.id'),
			where
				.selectFrom('marked_copies')
				.select('marked_copies.edition')
				.whereRef('marked_copies.blob_id', '=', 'blobs.id'),
		].map((uses) => where.not(where.exists(uses as never))),
	);
}
