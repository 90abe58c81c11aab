import type { Db } from '../../../platform/database/schema.ts';

/** Deletes up to `limit` messages of a conversation. @returns the blob ids of their files; null if it has no message */
export async function deleteMessages(tx: Db, userId: string, limit: number): Promise<string[] | null> {
	const rows = await tx
		.deleteFrom('messages')
		.where('id', 'in', (eb) =>
			eb.selectFrom('messages').select('messages.id').where('user_id', '=', userId).limit(limit),
		)
		.returning('blob_id as blobId')
		.execute();
	if (rows.length === 0) return null;
	return rows.flatMap(({ blobId }) => blobId ?? []);
}

/** Column values of an erased message. Every other message has a text or a file. */
const erased = {
	message: '',
	search_key: '',
	blob_id: null,
	file_name: null,
	file_type: null,
	file_size_bytes: null,
} as const;

/**
 * Erases text and file of up to `limit` messages of a conversation, up to a sequence. The rows keep their client ids.
 * @returns the blob ids of the messages' files; null when no message was left to erase
 */
export async function eraseMessages(tx: Db, userId: string, through: number, limit: number): Promise<string[] | null> {
	const rows = await tx
		.selectFrom('messages')
		.select(['id', 'blob_id as blobId'])
		.where('user_id', '=', userId)
		.where('sequence', '<=', through)
		.where((where) => where.or([where('message', '<>', ''), where('blob_id', 'is not', null)]))
		.limit(limit)
		.execute();
	if (rows.length === 0) return null;
	const ids = rows.map(({ id }) => id);
	await tx.updateTable('messages').set(erased).where('id', 'in', ids).execute();
	return rows.flatMap(({ blobId }) => blobId ?? []);
}

/** Deletes rows of erased messages that are older than `clientIdsKeptSince`. @returns the number of deleted rows */
export async function deleteErased(db: Db, clientIdsKeptSince: string, limit: number): Promise<number> {
	const { numDeletedRows } = await db
		.deleteFrom('messages')
		.where('id', 'in', (eb) =>
			eb
				.selectFrom('conversations')
				.innerJoin('messages as old', 'old.user_id', 'conversations.user_id')
				.select('old.id')
				.where('conversations.cleared_through', '>', 0)
				.whereRef('old.sequence', '<=', 'conversations.cleared_through')
				.where('old.created_at', '<', clientIdsKeptSince)
				.where('old.message', '=', '')
				.where('old.blob_id', 'is', null)
				.limit(limit),
		)
		.executeTakeFirstOrThrow();
	return Number(numDeletedRows);
}

export async function deleteConversation(tx: Db, userId: string): Promise<void> {
	await tx.deleteFrom('conversations').where('user_id', '=', userId).execute();
}
