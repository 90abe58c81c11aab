import type { Db } from '../../../platform/database/schema.ts';

/** A batch of the blobs whose type was not recognised, by id. */
export function listUnrecognizedBlobs(db: Db, afterId: string, limit: number) {
	return db
		.selectFrom('blobs')
		.select(['id', 'storage_key as storageKey', 'size_bytes as sizeBytes'])
		.where('content_type', '=', 'application/octet-stream')
		.where('id', '>', afterId)
		.orderBy('id')
		.limit(limit)
		.execute();
}

/** Saves the type of a blob in every table that has it. */
export async function updateContentType(tx: Db, blobId: string, type: string): Promise<void> {
	await tx.updateTable('blobs').set({ content_type: type }).where('id', '=', blobId).execute();
	await tx.updateTable('messages').set({ file_type: type }).where('blob_id', '=', blobId).execute();
	await tx.updateTable('canned_reply_files').set({ type }).where('blob_id', '=', blobId).execute();
}
