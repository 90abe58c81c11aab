import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Incompatible with the previous version, which would send a copy's parts as the copy and delete the templates. */
export const isCompatibleWithPrevious = false;

/** Adds templates of watermarked copies. A copy that is made of a template has only its own parts as its blob. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('copy_templates')
		.addColumn('source_id', key, (c) => c.notNull().primaryKey())
		.addColumn('blob_id', key, (c) => c.notNull().references('blobs.id'))
		.addColumn('layout', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('copy_templates_blob').on('copy_templates').column('blob_id').execute();
	await db.schema
		.alterTable('watermarked_copies')
		.addColumn('base_blob_id', key, (c) => c.references('blobs.id'))
		.execute();
	await sql`alter table watermarked_copies add column inserts text`.execute(db);
	await db.schema.createIndex('watermarked_copies_base').on('watermarked_copies').column('base_blob_id').execute();
}
