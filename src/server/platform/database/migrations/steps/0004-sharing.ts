import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds shares and exclusions of folders and files, and lesson progress. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	await db.schema
		.createTable('grants')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('node_id', key, (c) => c.notNull().references('nodes.id').onDelete('cascade'))
		.addColumn('owner_id', key, (c) => c.notNull())
		.addColumn('recipient_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('kind', key, (c) => c.notNull())
		.addColumn('kind_order', 'integer', (c) => c.notNull())
		.addColumn('sort_key', key, (c) => c.notNull())
		.addColumn('granted_by', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.addUniqueConstraint('grants_of_node', ['node_id', 'recipient_id'])
		.execute();
	await sql`create index grants_of_recipient on grants (recipient_id, kind, kind_order, sort_key, node_id)`.execute(db);
	await db.schema.createIndex('grants_in_space').on('grants').columns(['owner_id', 'recipient_id']).execute();
	await sql`create index grants_newest on grants (kind, kind_order, created_at, id)`.execute(db);

	await db.schema
		.createTable('lesson_progress')
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('node_id', key, (c) => c.notNull().references('nodes.id').onDelete('cascade'))
		.addColumn('position', 'double precision', (c) => c.notNull())
		.addColumn('total', 'double precision', (c) => c.notNull())
		.addColumn('is_done', 'integer', (c) => c.notNull())
		.addColumn('updated_at', key, (c) => c.notNull())
		.addPrimaryKeyConstraint('lesson_progress_key', ['user_id', 'node_id'])
		.execute();
	await sql`create index lesson_progress_last on lesson_progress (user_id, is_done, updated_at)`.execute(db);
	await db.schema.createIndex('lesson_progress_node').on('lesson_progress').column('node_id').execute();
}
