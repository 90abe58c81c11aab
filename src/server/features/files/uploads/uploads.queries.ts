import { sql } from 'kysely';
import {
	insertInto,
	insertManyInto,
	prepareQuery,
	toListParameters,
} from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

/** The columns of `UploadKeys`. */
const keyColumns = ['id', 'storage_key as storageKey', 'multipart_id as multipartId', 'tail_key as tailKey'] as const;

export type UploadRow = NonNullable<Awaited<ReturnType<typeof findUpload>>>;

export function findUpload(db: Db, id: string) {
	return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds and locks an upload, so that the second of two concurrent finishes sees the result of the first. */
export function findUploadForUpdate(tx: Db, id: string) {
	return lockRows(tx, tx.selectFrom('uploads').selectAll().where('id', '=', id)).executeTakeFirst();
}

export const insertUpload = insertInto('uploads');

export const insertUploads = insertManyInto('uploads');

const existingIdsQuery = prepareQuery((db, ids: Record<string, string>) =>
	db.selectFrom('uploads').select('id').where('id', 'in', Object.values(ids)),
);

export async function findExistingUploadIds(db: Db, ids: readonly string[]): Promise<string[]> {
	if (ids.length === 0) return [];
	return (await existingIdsQuery(db, toListParameters('id', ids))).rows.map(({ id }) => id);
}

export async function markUploadFinished(tx: Db, id: string, nodeId: string, now: string): Promise<void> {
	await tx.updateTable('uploads').set({ finished_at: now, node_id: nodeId }).where('id', '=', id).execute();
	await tx.deleteFrom('upload_parts').where('upload_id', '=', id).execute();
}

/** Deletes an upload's row. @returns the storage keys of the bytes; undefined when the row was deleted already */
export function deleteUpload(db: Db, id: string) {
	return db.deleteFrom('uploads').where('id', '=', id).returning(keyColumns).executeTakeFirst();
}

export function listUnfinishedUploads(db: Db) {
	return db.selectFrom('uploads').selectAll().where('finished_at', 'is', null).orderBy('id').execute();
}

/** Sums the announced sizes of unfinished uploads: of all uploads to one space, or of all that began after a time. */
export async function sumPendingBytes(db: Db, uploads: { ownerId: string } | { since: string }): Promise<number> {
	const { rows } = await pendingBytesQuery(db, uploads);
	return rows[0]?.sizeBytes ?? 0;
}

const pendingBytesQuery = prepareQuery((db, uploads: { ownerId: string } | { since: string }) =>
	db
		.selectFrom('uploads')
		.select(sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('sizeBytes'))
		.where('finished_at', 'is', null)
		.where((where) =>
			'since' in uploads ? where('created_at', '>', uploads.since) : where('owner_id', '=', uploads.ownerId),
		),
);

export function listUnfinishedPage(db: Db, userId: string, afterId: string, limit: number) {
	return db
		.selectFrom('uploads')
		.selectAll()
		.where('user_id', '=', userId)
		.where('finished_at', 'is', null)
		.where('id', '>', afterId)
		.orderBy('id')
		.limit(limit)
		.execute();
}

export function listUnfinishedUploadsOfUser(tx: Db, userId: string) {
	return tx
		.selectFrom('uploads')
		.select(keyColumns)
		.where('user_id', '=', userId)
		.where('finished_at', 'is', null)
		.execute();
}

export function listUploadsToSpace(db: Db, ownerId: string, limit: number) {
	return db.selectFrom('uploads').selectAll().where('owner_id', '=', ownerId).orderBy('id').limit(limit).execute();
}
