import { insertInto } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

export type ReplyRow = NonNullable<Awaited<ReturnType<typeof findReply>>>;
export type ReplyFileRow = NonNullable<Awaited<ReturnType<typeof findReplyFile>>>;

export function listReplies(db: Db) {
	return db.selectFrom('canned_replies').selectAll().orderBy('position').orderBy('id').execute();
}

export async function listReplyFiles(db: Db, replyIds: string[]) {
	if (replyIds.length === 0) return [];
	return db
		.selectFrom('canned_reply_files')
		.selectAll()
		.where('reply_id', 'in', replyIds)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

export function findReply(db: Db, id: string) {
	return db.selectFrom('canned_replies').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findReplyFile(db: Db, id: string) {
	return db.selectFrom('canned_reply_files').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks a reply's file against deletion until the transaction ends. @returns whether it still exists */
export async function lockReplyFile(tx: Db, id: string): Promise<boolean> {
	const query = tx.selectFrom('canned_reply_files').select('id').where('id', '=', id);
	return (await lockRows(tx, query, 'share').executeTakeFirst()) !== undefined;
}

export const insertReply = insertInto('canned_replies');

/** @returns false if the reply was changed or deleted meanwhile */
export async function updateReply(
	tx: Db,
	{ id, version, ...changes }: { id: string; version: number; name: string; message: string; updated_at: string },
): Promise<boolean> {
	const { numUpdatedRows } = await tx
		.updateTable('canned_replies')
		.set({ ...changes, version: version + 1 })
		.where('id', '=', id)
		.where('version', '=', version)
		.executeTakeFirstOrThrow();
	return numUpdatedRows > 0n;
}

export async function updatePosition(tx: Db, id: string, position: number): Promise<void> {
	await tx.updateTable('canned_replies').set({ position }).where('id', '=', id).execute();
}

export function deleteReply(tx: Db, id: string) {
	return tx.deleteFrom('canned_replies').where('id', '=', id).returning('name').executeTakeFirst();
}

export const insertReplyFile = insertInto('canned_reply_files');

export function deleteReplyFile(tx: Db, replyId: string, id: string) {
	return tx
		.deleteFrom('canned_reply_files')
		.where('id', '=', id)
		.where('reply_id', '=', replyId)
		.returning('name')
		.executeTakeFirst();
}
