import type { Db } from '../../../platform/database/schema.ts';

/** The file of a message that has not been deleted. */
export async function findAttachment(db: Db, userId: string, messageId: string) {
	const row = await db
		.selectFrom('messages')
		.innerJoin('conversations', 'conversations.user_id', 'messages.user_id')
		.select(['messages.blob_id as blobId', 'messages.file_name as name'])
		.where('messages.id', '=', messageId)
		.where('messages.user_id', '=', userId)
		.whereRef('messages.sequence', '>', 'conversations.cleared_through')
		.executeTakeFirst();
	return row?.blobId ? { blobId: row.blobId, name: row.name ?? '' } : undefined;
}
