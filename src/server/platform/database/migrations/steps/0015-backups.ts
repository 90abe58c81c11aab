import type { Kysely } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Compatible with the previous version, which does not read the new tables. */
export const isCompatibleWithPrevious = true;

/** Adds process leases, and a table of stored bytes whose deletion waits for running backups. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('holds')
		.addColumn('id', key, (c) => c.notNull().primaryKey())
		.addColumn('kind', key, (c) => c.notNull())
		.addColumn('detail', 'text', (c) => c.notNull())
		.addColumn('until', key, (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('holds_kind').on('holds').columns(['kind', 'until']).execute();

	await db.schema
		.createTable('put_off_removals')
		.addColumn('storage_key', key, (c) => c.notNull().primaryKey())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
}
