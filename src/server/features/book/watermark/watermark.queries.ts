import type { Insertable, Updateable } from 'kysely';
import type { EditionKey } from '#contract/book/book-settings.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { hasBookAccess } from '../access/access.queries.ts';

export type CopyRow = Awaited<ReturnType<typeof listCopies>>[number];

/** A person's copies, each with the size of what is there. */
export function listCopies(db: Db, userId: string) {
	return db
		.selectFrom('marked_copies')
		.leftJoin('blobs', 'blobs.id', 'marked_copies.blob_id')
		.selectAll('marked_copies')
		.select('blobs.size_bytes as sizeBytes')
		.where('user_id', '=', userId)
		.execute();
}

/** What is wanted from now on; the copy that is there stays until another takes its place. */
export async function saveCopyTarget(
	tx: Db,
	row: Pick<
		Insertable<Schema['marked_copies']>,
		'user_id' | 'edition' | 'wanted_source_id' | 'wanted_mark' | 'updated_at'
	> & {
		tries: number;
	},
): Promise<void> {
	const values = { ...row, state: 'making', percent: 0, failure: null } as const;
	await tx
		.insertInto('marked_copies')
		.values(values)
		.onConflict((conflict) => conflict.columns(['user_id', 'edition']).doUpdateSet(values))
		.execute();
}

/** Which copy a change is about: one of another wish is left alone. */
export interface CopyTarget {
	userId: string;
	edition: EditionKey;
	sourceId: string;
	watermarkHash: string;
}

/** @returns false when something else is wanted by now, or nothing */
export async function updateCopy(
	tx: Db,
	target: CopyTarget,
	changes: Updateable<Schema['marked_copies']>,
): Promise<boolean> {
	const rows = await tx
		.updateTable('marked_copies')
		.set(changes)
		.where('user_id', '=', target.userId)
		.where('edition', '=', target.edition)
		.where('wanted_source_id', '=', target.sourceId)
		.where('wanted_mark', '=', target.watermarkHash)
		.returning('edition')
		.execute();
	return rows.length > 0;
}

export async function findCopyBlobId(tx: Db, userId: string, edition: string): Promise<string | null> {
	const row = await tx
		.selectFrom('marked_copies')
		.select('blob_id')
		.where('user_id', '=', userId)
		.where('edition', '=', edition)
		.executeTakeFirst();
	return row?.blob_id ?? null;
}

/** Deletes all of a person's copies. @returns the blobs that they had */
export async function deleteCopiesOfUser(tx: Db, userId: string): Promise<string[]> {
	const rows = await tx.deleteFrom('marked_copies').where('user_id', '=', userId).returning('blob_id').execute();
	return rows.flatMap((row) => row.blob_id ?? []);
}

/** Active members who may read the book, some at a time by their ids. */
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

/** Copies that nobody may read any more: access has ended, or the edition is none any more, or of another file. */
export function listStaleCopies(db: Db, sources: Readonly<Partial<Record<EditionKey, string>>>, limit: number) {
	const entries = Object.entries(sources);
	return db
		.selectFrom('marked_copies')
		.select(['user_id', 'edition', 'blob_id'])
		.where((where) => {
			const hasReader = where.exists(
				where
					.selectFrom('users')
					.select('users.id')
					.whereRef('users.id', '=', 'marked_copies.user_id')
					.where(hasBookAccess as never),
			);
			const isCurrent = entries.map(([edition, sourceId]) =>
				where.and([
					where('edition', '=', edition),
					where.or([where('source_id', '=', sourceId), where('source_id', 'is', null)]),
				]),
			);
			return where.or([where.not(hasReader), where.not(where.or(isCurrent))]);
		})
		.limit(limit)
		.execute();
}

export async function deleteCopies(tx: Db, copies: ReadonlyArray<{ user_id: string; edition: string }>): Promise<void> {
	await tx
		.deleteFrom('marked_copies')
		.where((where) =>
			where.or(copies.map((copy) => where.and({ user_id: copy.user_id, edition: copy.edition } as never))),
		)
		.execute();
}

/** Copies that say to be there and are not. */
export function listIncompleteCopies(db: Db) {
	return db
		.selectFrom('marked_copies')
		.select(['user_id', 'edition'])
		.where((where) =>
			where.or([
				where.and([where('state', '=', 'ready'), where('blob_id', 'is', null)]),
				where.and([where('blob_id', 'is not', null), where('source_id', 'is', null)]),
			]),
		)
		.limit(100)
		.execute();
}
