import type { Kysely } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Incompatible with the previous version, which sends originals and would delete the copies' bytes as orphaned. */
export const isCompatibleWithPrevious = false;

/** Adds book access without an order, and each buyer's watermarked copy of each edition. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('book_grants')
		.addColumn('user_id', key, (c) => c.notNull().primaryKey().references('users.id').onDelete('cascade'))
		.addColumn('granted_by', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();

	await db.schema
		.createTable('marked_copies')
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('edition', key, (c) => c.notNull())
		.addColumn('state', key, (c) => c.notNull())
		.addColumn('wanted_source_id', key, (c) => c.notNull())
		.addColumn('wanted_mark', key, (c) => c.notNull())
		.addColumn('percent', 'integer', (c) => c.notNull().defaultTo(0))
		.addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
		.addColumn('failure', key)
		.addColumn('blob_id', key, (c) => c.references('blobs.id'))
		.addColumn('source_id', key)
		.addColumn('page_count', 'integer')
		.addColumn('made_at', key)
		.addColumn('updated_at', key, (c) => c.notNull())
		.addPrimaryKeyConstraint('marked_copies_key', ['user_id', 'edition'])
		.execute();
	await db.schema.createIndex('marked_copies_blob').on('marked_copies').column('blob_id').execute();
	await db.schema.createIndex('marked_copies_edition').on('marked_copies').columns(['edition', 'user_id']).execute();
}
