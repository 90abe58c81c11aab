import type { Updateable } from 'kysely';
import type { Db, Schema } from '../../../../platform/database/schema.ts';

export interface UploadPosition {
	arrivedBytes: number;
	storageKey: string;
	multipartId: string | null;
	tailKey: string | null;
	tailBytes: number;
}

export function listParts(db: Db, uploadId: string) {
	return db
		.selectFrom('upload_parts')
		.select(['number', 'etag'])
		.where('upload_id', '=', uploadId)
		.orderBy('number')
		.execute();
}

/** Allocates the next part number. @returns undefined when the upload is finished or deleted */
export async function allocatePartNumber(db: Db, id: string): Promise<number | undefined> {
	const row = await db
		.updateTable('uploads')
		.set((eb) => ({ next_part: eb('next_part', '+', 1) }))
		.where('id', '=', id)
		.where('finished_at', 'is', null)
		.returning('next_part')
		.executeTakeFirst();
	return row && row.next_part - 1;
}

/** Changes an unfinished upload if its position is still `from`. @returns false when nothing was changed */
export async function advanceUpload(tx: Db, id: string, from: UploadPosition, to: Updateable<Schema['uploads']>) {
	const row = await tx
		.updateTable('uploads')
		.set(to)
		.where('id', '=', id)
		.where('finished_at', 'is', null)
		.where('arrived_bytes', '=', from.arrivedBytes)
		.where('storage_key', '=', from.storageKey)
		.where('multipart_id', 'is not distinct from', from.multipartId)
		.where('tail_key', 'is not distinct from', from.tailKey)
		.returning('id')
		.executeTakeFirst();
	return row !== undefined;
}

export async function insertPart(tx: Db, part: { uploadId: string; number: number; sizeBytes: number; etag: string }) {
	await tx
		.insertInto('upload_parts')
		.values({ upload_id: part.uploadId, number: part.number, size_bytes: part.sizeBytes, etag: part.etag })
		.execute();
}

export async function deleteParts(tx: Db, uploadId: string): Promise<void> {
	await tx.deleteFrom('upload_parts').where('upload_id', '=', uploadId).execute();
}
