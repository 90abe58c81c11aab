import type { Kysely } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds multipart uploads to an object store, whose parts any process may receive, and leases of names. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	// Null for uploads from before this migration, which store the value beside their chunks.
	await db.schema.alterTable('uploads').addColumn('conflict', 'text').execute();
	await db.schema.alterTable('uploads').addColumn('multipart_id', 'text').execute();
	await db.schema
		.alterTable('uploads')
		.addColumn('arrived_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
		.execute();
	await db.schema.alterTable('uploads').addColumn('tail_key', key).execute();
	await db.schema
		.alterTable('uploads')
		.addColumn('tail_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
		.execute();
	await db.schema
		.alterTable('uploads')
		.addColumn('next_part', 'integer', (c) => c.notNull().defaultTo(1))
		.execute();

	await db.schema
		.createTable('upload_parts')
		.addColumn('upload_id', key, (c) => c.notNull().references('uploads.id').onDelete('cascade'))
		.addColumn('number', 'integer', (c) => c.notNull())
		.addColumn('size_bytes', 'bigint', (c) => c.notNull())
		.addColumn('etag', 'text', (c) => c.notNull())
		.addPrimaryKeyConstraint('upload_parts_key', ['upload_id', 'number'])
		.execute();

	await db.schema
		.createTable('leases')
		.addColumn('name', key, (c) => c.notNull().primaryKey())
		.addColumn('holder', 'text', (c) => c.notNull())
		.addColumn('leased_until', key, (c) => c.notNull())
		.execute();
}
