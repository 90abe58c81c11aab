import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Compatible with the previous version: the new columns have defaults, and that version does not read them. */
export const isCompatibleWithPrevious = true;

/** Adds counts of each conversation's stored files and bytes, and of what its member sent in a minute and a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await sql`alter table conversations add column stored_files integer default 0 not null`.execute(db);
	for (const column of ['stored_bytes bigint', 'day_bytes bigint', 'minute_messages integer', 'day_files integer'])
		await sql`alter table conversations add column ${sql.raw(column)} default 0 not null`.execute(db);
	for (const name of ['minute_resets_at', 'day_resets_at'])
		await db.schema.alterTable('conversations').addColumn(name, key).execute();
	await sql`
		update conversations set
			stored_files = (select count(messages.blob_id) from messages
				where messages.user_id = conversations.user_id and messages.sequence > conversations.cleared_through),
			stored_bytes = (select coalesce(sum(coalesce(messages.file_size_bytes, octet_length(messages.message))), 0) from messages
				where messages.user_id = conversations.user_id and messages.sequence > conversations.cleared_through)
	`.execute(db);
	await sql`create index conversations_stored on conversations (stored_bytes, user_id)`.execute(db);
}
