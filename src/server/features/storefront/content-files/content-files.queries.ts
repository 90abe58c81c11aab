import type { Db, Schema } from '../../../platform/database/schema.ts';
import { insertBlob, type NewBlob } from '../../../platform/storage/blobs.queries.ts';

export type FileKind = Schema['storefront_files']['kind'];

export interface NewFile {
	id: string;
	kind: FileKind;
	width: number | null;
	height: number | null;
	/** Stored bytes by name: see the table. */
	blobs: ReadonlyArray<NewBlob & { name: string }>;
}

export async function insertFile(tx: Db, { blobs, ...file }: NewFile, now: string): Promise<void> {
	for (const blob of blobs) await insertBlob(tx, blob, now);
	await tx
		.insertInto('storefront_files')
		.values({ ...file, is_published: 0, created_at: now })
		.execute();
	await tx
		.insertInto('storefront_file_blobs')
		.values(blobs.map(({ name, id }) => ({ file_id: file.id, name, blob_id: id })))
		.execute();
}

/** Returns a blob of a file, and whether visitors may have it. */
export function findFileBlob(db: Db, fileId: string, name: string) {
	return db
		.selectFrom('storefront_file_blobs')
		.innerJoin('storefront_files', 'storefront_files.id', 'storefront_file_blobs.file_id')
		.innerJoin('blobs', 'blobs.id', 'storefront_file_blobs.blob_id')
		.selectAll('blobs')
		.select('storefront_files.is_published as isPublished')
		.where('storefront_file_blobs.file_id', '=', fileId)
		.where('storefront_file_blobs.name', '=', name)
		.executeTakeFirst();
}

/** Returns those of `ids` that exist, with their variants' names. */
export async function listFiles(db: Db, ids: readonly string[]) {
	if (ids.length === 0) return [];
	const files = await db.selectFrom('storefront_files').selectAll().where('id', 'in', ids).orderBy('id').execute();
	const blobs = await db
		.selectFrom('storefront_file_blobs')
		.select(['file_id', 'name'])
		.where('file_id', 'in', ids)
		.orderBy('name')
		.execute();
	return files.map((file) => ({
		...file,
		names: blobs.filter(({ file_id }) => file_id === file.id).map(({ name }) => name),
	}));
}

export async function setPublishedFiles(tx: Db, ids: readonly string[]): Promise<void> {
	await tx.updateTable('storefront_files').set({ is_published: 0 }).where('is_published', '=', 1).execute();
	if (ids.length > 0)
		await tx.updateTable('storefront_files').set({ is_published: 1 }).where('id', 'in', ids).execute();
}

/** Returns unpublished files that were uploaded before `before`. */
export async function listOldUnpublishedFiles(db: Db, before: string): Promise<string[]> {
	const rows = await db
		.selectFrom('storefront_files')
		.select('id')
		.where('is_published', '=', 0)
		.where('created_at', '<', before)
		.execute();
	return rows.map(({ id }) => id);
}

/** Deletes rows only; the blobs are deleted as unreferenced. */
export async function deleteFiles(tx: Db, ids: readonly string[]): Promise<void> {
	await tx.deleteFrom('storefront_files').where('id', 'in', ids).execute();
}
