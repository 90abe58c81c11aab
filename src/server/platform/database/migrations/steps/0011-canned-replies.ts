import type { Kysely } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds canned replies of admins, with their files. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('canned_replies')
		.addColumn('id', key, (c) => c.notNull().primaryKey())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('message', 'text', (c) => c.notNull())
		.addColumn('place', 'integer', (c) => c.notNull())
		.addColumn('version', 'integer', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('updated_at', key, (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('canned_reply_files')
		.addColumn('id', key, (c) => c.notNull().primaryKey())
		.addColumn('reply_id', key, (c) => c.notNull().references('canned_replies.id').onDelete('cascade'))
		.addColumn('blob_id', key, (c) => c.notNull().references('blobs.id'))
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('type', 'text', (c) => c.notNull())
		.addColumn('size_bytes', 'bigint', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('canned_reply_files_reply').on('canned_reply_files').column('reply_id').execute();
	await db.schema.createIndex('canned_reply_files_blob').on('canned_reply_files').column('blob_id').execute();
}
