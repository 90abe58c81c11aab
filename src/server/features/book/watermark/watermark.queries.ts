import type { Updateable } from 'kysely';
import type { EditionKey } from '#contract/book/editions.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { hasBookAccess } from '../access/access.queries.ts';

export type CopyRow = Awaited<ReturnType<typeof listCopies>>[number];

export function listCopies(db: Db, userId: string) {
	return db
		.selectFrom('watermarked_copies')
		.leftJoin('blobs', 'blobs.id', 'watermarked_copies.blob_id')
		.leftJoin('blobs as bases', 'bases.id', 'base_blob_id')
		.selectAll('watermarked_copies')
		.select(['blobs.size_bytes as ownBytes', 'blobs.storage_key as key'])
		.select(['bases.size_bytes as baseBytes', 'bases.storage_key as baseKey'])
		.where('user_id', '=', userId)
		.execute();
}

/** Saves which copy is required. The row keeps its existing copy. */
export async function saveCopyTarget(tx: Db, target: CopyTarget, attempts: number, now: string): Promise<void> {
	const values = {
		user_id: target.userId,
		edition: target.edition,
		wanted_source_id: target.sourceId,
		wanted_watermark: target.watermarkHash,
		attempts,
		updated_at: now,
		state: 'making',
		percent: 0,
		failure: null,
	} as const;
	await tx
		.insertInto('watermarked_copies')
		.values(values)
		.onConflict((conflict) => conflict.columns(['user_id', 'edition']).doUpdateSet(values))
		.execute();
}

/** A copy that is required: the user and edition, which are the key of its row, and its original and watermark. */
export interface CopyTarget {
	userId: string;
	edition: EditionKey;
	sourceId: string;
	watermarkHash: string;
}

/** Changes the row only while this copy is required. @returns false when another copy, or none, is required by now */
export async function updateCopy(tx: Db, target: CopyTarget, changes: Updateable<Schema['watermarked_copies']>) {
	const rows = await tx
		.updateTable('watermarked_copies')
		.set(changes)
		.where('user_id', '=', target.userId)
		.where('edition', '=', target.edition)
		.where('wanted_source_id', '=', target.sourceId)
		.where('wanted_watermark', '=', target.watermarkHash)
		.returning('edition')
		.execute();
	return rows.length > 0;
}

export async function findCopyBlobId(tx: Db, userId: string, edition: string): Promise<string | null> {
	const row = await tx
		.selectFrom('watermarked_copies')
		.select('blob_id')
		.where('user_id', '=', userId)
		.where('edition', '=', edition)
		.executeTakeFirst();
	return row?.blob_id ?? null;
}

export function findTemplate(db: Db, sourceId: string) {
	return db.selectFrom('copy_templates').selectAll().where('source_id', '=', sourceId).executeTakeFirst();
}

/** @returns false if another process has inserted a template of this original */
export async function insertTemplate(tx: Db, template: Schema['copy_templates']): Promise<boolean> {
	const rows = await tx
		.insertInto('copy_templates')
		.values(template)
		.onConflict((conflict) => conflict.column('source_id').doNothing())
		.returning('source_id')
		.execute();
	return rows.length > 0;
}

/** Deletes the templates of other originals than these. @returns the ids of their blobs */
export async function deleteTemplatesExcept(tx: Db, sourceIds: readonly string[]): Promise<string[]> {
	let query = tx.deleteFrom('copy_templates');
	if (sourceIds.length > 0) query = query.where('source_id', 'not in', sourceIds);
	return (await query.returning('blob_id').execute()).map((row) => row.blob_id);
}

export async function deleteCopiesOfUser(tx: Db, userId: string): Promise<string[]> {
	const rows = await tx.deleteFrom('watermarked_copies').where('user_id', '=', userId).returning('blob_id').execute();
	return rows.flatMap((row) => row.blob_id ?? []);
}

export async function listReaders(db: Db, after: string, limit: number): Promise<string[]> {
	const rows = await db
		.selectFrom('users')
		.select('id')
		.where('role', '=', 'user')
		.where('active', '=', 1)
		.where('id', '>', after)
		.where(hasBookAccess)
		.orderBy('id')
		.limit(limit)
		.execute();
	return rows.map((row) => row.id);
}

/** Lists copies that may no longer be read: access has ended, or the edition was removed or has another file. */
export function listStaleCopies(db: Db, originals: ReadonlyMap<EditionKey, { id: string }>, limit: number) {
	return db
		.selectFrom('watermarked_copies')
		.select(['user_id', 'edition', 'blob_id'])
		.where((where) => {
			const hasReader = where.exists(
				where
					.selectFrom('users')
					.select('users.id')
					.whereRef('users.id', '=', 'watermarked_copies.user_id')
					.where(hasBookAccess as never),
			);
			const isCurrent = [...originals].map(([edition, { id }]) =>
				where.and([
					where('edition', '=', edition),
					where.or([where('source_id', '=', id), where('source_id', 'is', null)]),
				]),
			);
			return where.or([where.not(hasReader), where.not(where.or(isCurrent))]);
		})
		.limit(limit)
		.execute();
}

export async function deleteCopies(tx: Db, copies: ReadonlyArray<{ user_id: string; edition: string }>): Promise<void> {
	await tx
		.deleteFrom('watermarked_copies')
		.where((where) =>
			where.or(copies.map((copy) => where.and({ user_id: copy.user_id, edition: copy.edition } as never))),
		)
		.execute();
}

/**
 * Lists inconsistent copies as user id and edition key: ready copies without a blob, copies with a blob but no
 * source, and copies with only one of base and inserts.
 */
export async function listIncompleteCopies(db: Db): Promise<string[]> {
	const rows = await db
		.selectFrom('watermarked_copies')
		.select(['user_id', 'edition'])
		.where((where) =>
			where.or([
				where.and([where('state', '=', 'ready'), where('blob_id', 'is', null)]),
				where.and([where('blob_id', 'is not', null), where('source_id', 'is', null)]),
				where.and([where('base_blob_id', 'is not', null), where('inserts', 'is', null)]),
				where.and([where('base_blob_id', 'is', null), where('inserts', 'is not', null)]),
			]),
		)
		.limit(100)
		.execute();
	return rows.map((row) => `${row.user_id} ${row.edition}`);
}
