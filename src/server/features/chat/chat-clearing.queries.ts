import type { Db } from '../../db/schema.ts';

/** Deletes some of a conversation's messages. @returns the blobs of their files; null when there was none left */
export async function deleteMessages(
	tx: Db,
	userId: string,
	through: number | null,
	limit: number,
): Promise<string[] | null> {
	const rows = await tx
		.deleteFrom('messages')
		.where('id', 'in', (some) => {
			let all = some.selectFrom('messages').select('messages.id').where('user_id', '=', userId);
			if (through !== null) all = all.where('sequence', '<=', through);
			return all.limit(limit);
		})
		.returning('blob_id as blobId')
		.execute();
	if (rows.length === 0) return null;
	return rows.flatMap(({ blobId }) => blobId ?? []);
}

export async function deleteConversation(tx: Db, userId: string): Promise<void> {
	await tx.deleteFrom('conversations').where('user_id', '=', userId).execute();
}
