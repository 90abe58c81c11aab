import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds multipart uploads to an object store, so that any process can receive any part, and leases of names. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	// Null for uploads from before this migration, which store the value beside their chunks.
	await db.schema.alterTable('uploads').addColumn('conflict', 'text').execute();
	await db.schema.alterTable('uploads').addColumn('multipart_id', 'text').execute();
	await sql`alter table uploads add column arrived_bytes bigint default 0 not null`.execute(db);
	await db.schema.alterTable('uploads').addColumn('tail_key', key).execute();
	await sql`alter table uploads add column tail_bytes bigint default 0 not null`.execute(db);
	await sql`alter table uploads add column next_part integer default 1 not null`.execute(db);

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
