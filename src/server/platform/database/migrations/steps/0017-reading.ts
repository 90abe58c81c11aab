import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Compatible with the previous version, which does not read the new tables. */
export const isCompatibleWithPrevious = true;

/** Adds reading positions, bookmarks, highlights and notes. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	const places = db.schema
		.createTable('reading_places')
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('document', key, (c) => c.notNull())
		.addColumn('node_id', key, (c) => c.references('nodes.id').onDelete('cascade'))
		.addColumn('page', 'integer', (c) => c.notNull())
		.addColumn('page_count', 'integer', (c) => c.notNull())
		.addColumn('page_offset', 'integer', (c) => c.notNull())
		.addColumn('chapter', 'text')
		.addColumn('read_at', key, (c) => c.notNull())
		.addColumn('updated_at', key, (c) => c.notNull())
		.addColumn('furthest_page', 'integer', (c) => c.notNull())
		.addColumn('furthest_share', 'integer', (c) => c.notNull())
		.addPrimaryKeyConstraint('reading_places_key', ['user_id', 'document']);
	// Stores rows in the order of the key, so that counting 100,000 readers is one scan (sqlite.org/withoutrowid.html).
	await (db.getExecutor().adapter instanceof PostgresAdapter ? places : places.modifyEnd(sql`without rowid`)).execute();
	// For listing the readers of a document by their furthest page, or by the time of their last reading.
	await sql`create index reading_places_furthest on reading_places (document, furthest_share, user_id)`.execute(db);
	await sql`create index reading_places_read on reading_places (document, read_at, user_id)`.execute(db);
	await db.schema.createIndex('reading_places_node').on('reading_places').column('node_id').execute();

	// The key starts with the user, because devices create the ids, and two users may have the same id.
	await db.schema
		.createTable('reading_marks')
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('id', key, (c) => c.notNull())
		.addColumn('document', key, (c) => c.notNull())
		.addColumn('node_id', key, (c) => c.references('nodes.id').onDelete('cascade'))
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('page', 'integer', (c) => c.notNull())
		.addColumn('boxes', 'text', (c) => c.notNull())
		.addColumn('quote', 'text', (c) => c.notNull())
		.addColumn('note', 'text', (c) => c.notNull())
		.addColumn('color', 'text', (c) => c.notNull())
		.addColumn('chapter', 'text')
		.addColumn('size_bytes', 'integer', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('updated_at', key, (c) => c.notNull())
		.addPrimaryKeyConstraint('reading_marks_key', ['user_id', 'id'])
		.execute();
	await sql`create index reading_marks_page on reading_marks (user_id, document, page)`.execute(db);
	await db.schema.createIndex('reading_marks_node').on('reading_marks').column('node_id').execute();
}
