import type { Kysely } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Compatible with the previous version, which does not read the new table. */
export const isCompatibleWithPrevious = true;

/** Adds a table for the outlines of the editions' PDF files, one row for each blob. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('outlines')
		.addColumn('blob_id', key, (c) => c.notNull().primaryKey().references('blobs.id').onDelete('cascade'))
		.addColumn('entries', 'text')
		.addColumn('page_count', 'integer')
		.addColumn('failure', key)
		.addColumn('read_at', key, (c) => c.notNull())
		.execute();
}
