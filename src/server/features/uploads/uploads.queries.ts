import { type Insertable, sql } from 'kysely';
import type { Db, Schema } from '../../platform/database/schema.ts';
import { acquireNamedLock, lockRows } from '../../platform/database/transaction.ts';

export type UploadRow = NonNullable<Awaited<ReturnType<typeof findUpload>>>;

export function findUpload(db: Db, id: string) {
	return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks it until the transaction ends: of two who make a file of it, the second sees what the first has done. */
export function findUploadForUpdate(tx: Db, id: string) {
	return lockRows(tx, tx.selectFrom('uploads').selectAll().where('id', '=', id)).executeTakeFirst();
}

export async function insertUpload(db: Db, row: Insertable<Schema['uploads']>): Promise<void> {
	await db.insertInto('uploads').values(row).execute();
}

/** The file stands there: of its parts nothing is known any more. */
export async function markUploadFinished(tx: Db, id: string, nodeId: string, now: string): Promise<void> {
	await tx.updateTable('uploads').set({ finished_at: now, node_id: nodeId }).where('id', '=', id).execute();
	await tx.deleteFrom('upload_parts').where('upload_id', '=', id).execute();
}

/** @returns where its bytes were at the end; undefined when it was gone already */
export function deleteUpload(db: Db, id: string) {
	return db
		.deleteFrom('uploads')
		.where('id', '=', id)
		.returning(['id', 'storage_key as storageKey', 'multipart_id as multipartId', 'tail_key as tailKey'])
		.executeTakeFirst();
}

export function listUnfinishedUploads(db: Db) {
	return db.selectFrom('uploads').selectAll().where('finished_at', 'is', null).orderBy('id').execute();
}

/** Bytes of uploads that were begun after a moment and are not finished, in all spaces. */
export async function sumPendingBytesSince(db: Db, since: string): Promise<number> {
	const row = await db
		.selectFrom('uploads')
		.select(sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('sizeBytes'))
		.where('finished_at', 'is', null)
		.where('created_at', '>', since)
		.executeTakeFirstOrThrow();
	return row.sizeBytes;
}

/** Uploads are announced one after the other until the transaction ends, also by other servers on the same database. */
export async function lockUploadAdmission(tx: Db): Promise<void> {
	await acquireNamedLock(tx, 'uploads');
}

/** One page of what somebody began and did not finish. */
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

/** Unfinished uploads that somebody began, for whichever space. */
export function listUnfinishedUploadsOfUser(tx: Db, userId: string) {
	return tx
		.selectFrom('uploads')
		.select(['id', 'storage_key as storageKey', 'multipart_id as multipartId', 'tail_key as tailKey'])
		.where('user_id', '=', userId)
		.where('finished_at', 'is', null)
		.execute();
}

/** Uploads into a space, whoever began them. */
export function listUploadsToSpace(db: Db, ownerId: string, limit: number) {
	return db.selectFrom('uploads').selectAll().where('owner_id', '=', ownerId).orderBy('id').limit(limit).execute();
}

export async function hasBlobWithKey(db: Db, storageKey: string): Promise<boolean> {
	const row = await db.selectFrom('blobs').select('id').where('storage_key', '=', storageKey).executeTakeFirst();
	return row !== undefined;
}
