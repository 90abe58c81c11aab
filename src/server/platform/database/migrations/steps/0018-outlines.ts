import type { Kysely } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** The program before this one can go on beside it: only a table is added, which it does not ask for. */
export const isCompatibleWithPrevious = true;

/** The outlines of the editions' files, read once for their bytes. */
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
