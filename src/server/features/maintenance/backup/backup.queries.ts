import type { Db } from '../../../platform/database/schema.ts';

/** Deletes the rows of unfinished uploads, whose parts are not copied. @returns the number deleted */
export async function deleteUnfinishedUploads(db: Db): Promise<number> {
	const { numDeletedRows } = await db.deleteFrom('uploads').where('finished_at', 'is', null).executeTakeFirst();
	return Number(numDeletedRows);
}

export function listBlobsAfter(db: Db, afterId: string, limit: number) {
	return db
		.selectFrom('blobs')
		.select(['id', 'storage_key as key', 'size_bytes as sizeBytes', 'sha256'])
		.where('id', '>', afterId)
		.orderBy('id')
		.limit(limit)
		.execute();
}
