import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { isPostgres } from '../database/connection.ts';
import { insertManyInto, prepareQuery } from '../database/query-preparation.ts';
import type { Db, Schema } from '../database/schema.ts';
import { lockRows } from '../database/transaction.ts';
import { createRegistration } from '../deps.ts';
import type { StoredBytes } from './storage.ts';

/** All columns that refer to blobs. Blobs to which neither a column nor a setting refers are deleted. */
export const blobReferences = createRegistration<Array<[table: keyof Schema, column: string]>>('references to blobs');

export interface NewBlob extends StoredBytes {
	id: string;
	storageKey: string;
	contentType: string;
}

const insertRows = insertManyInto('blobs');

export function insertBlob(tx: Db, blob: NewBlob, now: string): Promise<void> {
	return insertBlobs(tx, [blob], now);
}

export async function insertBlobs(tx: Db, blobs: readonly NewBlob[], now: string): Promise<void> {
	const rows = blobs.map(({ id, sha256, ...blob }) => {
		const { storageKey: storage_key, sizeBytes: size_bytes, contentType: content_type } = blob;
		return { id, storage_key, size_bytes, sha256, content_type, created_at: now };
	});
	await insertRows(tx, rows);
}

export type BlobRow = NonNullable<Awaited<ReturnType<typeof findBlob>>>;

const blobQuery = prepareQuery((db, { id }: { id: string }) => db.selectFrom('blobs').selectAll().where('id', '=', id));

export async function findBlob(db: Db, id: string) {
	return (await blobQuery(db, { id })).rows[0];
}

export async function findBlobs(db: Db, ids: readonly string[]): Promise<BlobRow[]> {
	return ids.length === 0 ? [] : db.selectFrom('blobs').selectAll().where('id', 'in', ids).execute();
}

const blobsInOrder = (tx: Db, ids: string[]) =>
	tx.selectFrom('blobs').select('id').where('id', 'in', ids).orderBy('id');

/** Prevents blobs from being deleted until the transaction ends. @returns the ids of the existing blobs */
export async function lockBlobs(tx: Db, ids: string[]): Promise<Set<string>> {
	if (ids.length === 0) return new Set();
	const rows = await lockRows(tx, blobsInOrder(tx, ids), 'share').execute();
	return new Set(rows.map((row) => row.id));
}

/** Deletes the blobs to which no row refers, and their thumbnails. @returns the storage keys of all deleted blobs */
export async function deleteUnusedBlobs(tx: Db, ids: string[]): Promise<string[]> {
	const thumbnails = await tx
		.selectFrom('thumbnails')
		.select('thumb_blob_id as id')
		.where('blob_id', 'in', ids)
		.where('thumb_blob_id', 'is not', null)
		.execute();
	const keys = await deleteUnusedRows(tx, ids);
	if (keys.length === 0 || thumbnails.length === 0) return keys;
	const thumbnailIds = thumbnails.flatMap(({ id }) => id ?? []);
	return [...keys, ...(await deleteUnusedRows(tx, thumbnailIds))];
}

async function deleteUnusedRows(tx: Db, ids: string[]): Promise<string[]> {
	// The deletion then sees the references of the transactions for which the lock has waited.
	if (isPostgres(tx)) await lockRows(tx, blobsInOrder(tx, ids)).execute();
	const rows = await tx
		.deleteFrom('blobs')
		.where('id', 'in', ids)
		.where(isUnusedBlob)
		.returning('storage_key as storageKey')
		.execute();
	return rows.map((row) => row.storageKey);
}

/** Returns a condition for blobs to which no column of {@link blobReferences} refers. */
export function isUnusedBlob(where: ExpressionBuilder<Schema, 'blobs'>): Expression<SqlBool> {
	return where.and(
		blobReferences().map(([table, column]) => {
			const reference = sql.ref(`${table}.${column}`);
			return where.not(where.exists(sql`(select 1 from ${sql.table(table)} where ${reference} = blobs.id)`));
		}),
	);
}
