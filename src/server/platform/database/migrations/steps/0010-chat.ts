import { type Kysely, sql } from 'kysely';
import { byteOrderedText, createTrigramSearch } from '../trigram-search.ts';

/** Adds the chat: one conversation for each member, with one sequence of messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	// No foreign key to the user, because a deleted user's messages are deleted later, in batches.
	await db.schema
		.createTable('conversations')
		.addColumn('user_id', key, (c) => c.notNull().primaryKey())
		.addColumn('last_sequence', 'integer', (c) => c.notNull())
		.addColumn('cleared_through', 'integer', (c) => c.notNull())
		.addColumn('user_viewed_through', 'integer', (c) => c.notNull())
		.addColumn('admin_viewed_through', 'integer', (c) => c.notNull())
		.addColumn('user_unread', 'integer', (c) => c.notNull())
		.addColumn('admin_unread', 'integer', (c) => c.notNull())
		.addColumn('user_typing_at', key)
		.addColumn('admin_typing_at', key)
		.addColumn('last_at', key)
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('conversations_newest').on('conversations').columns(['last_at', 'user_id']).execute();
	await sql`create index conversations_unread on conversations (admin_unread) where admin_unread > 0`.execute(db);

	await db.schema
		.createTable('messages')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('user_id', key, (c) => c.notNull())
		.addColumn('sequence', 'integer', (c) => c.notNull())
		.addColumn('sender', 'text', (c) => c.notNull())
		.addColumn('author_id', key, (c) => c.notNull())
		.addColumn('client_id', key, (c) => c.notNull())
		.addColumn('message', 'text', (c) => c.notNull())
		.addColumn('blob_id', key)
		.addColumn('file_name', 'text')
		.addColumn('file_type', 'text')
		.addColumn('file_size_bytes', 'bigint')
		.addColumn('search_key', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('messages_order').on('messages').columns(['user_id', 'sequence']).unique().execute();
	await sql`create unique index messages_once on messages (user_id, author_id, client_id)`.execute(db);
	await db.schema.createIndex('messages_blob').on('messages').column('blob_id').execute();
	await createTrigramSearch(db, 'messages', 'search_key');
}
