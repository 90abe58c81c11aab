import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds visits of the landing page, and totals that each visit updates, because counting millions of rows is slow. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	await db.schema
		.createTable('visits')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('visited_at', key, (c) => c.notNull())
		.addColumn('ip', key, (c) => c.notNull())
		.addColumn('page', 'text', (c) => c.notNull())
		.addColumn('referrer', 'text', (c) => c.notNull())
		.addColumn('kind', 'text', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('visits_oldest').on('visits').column('visited_at').execute();
	await db.schema.createIndex('visits_ip').on('visits').column('ip').execute();

	await db.schema
		.createTable('visit_addresses')
		.addColumn('ip', key, (c) => c.notNull().primaryKey())
		.addColumn('visits', 'integer', (c) => c.notNull())
		.addColumn('last_at', key, (c) => c.notNull())
		.addColumn('is_short', 'integer', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('visit_addresses_most').on('visit_addresses').columns(['visits', 'ip']).execute();
	await db.schema.createIndex('visit_addresses_long').on('visit_addresses').columns(['is_short', 'ip']).execute();

	await db.schema
		.createTable('visit_days')
		.addColumn('day', key, (c) => c.notNull().primaryKey())
		.addColumn('visits', 'integer', (c) => c.notNull())
		.addColumn('forms', 'integer', (c) => c.notNull())
		.execute();
	await db.schema
		.createTable('visit_sources')
		.addColumn('day', key, (c) => c.notNull())
		.addColumn('kind', key, (c) => c.notNull())
		.addColumn('value', key, (c) => c.notNull())
		.addColumn('visits', 'integer', (c) => c.notNull())
		.addPrimaryKeyConstraint('visit_sources_key', ['day', 'kind', 'value'])
		.execute();

	await db.schema
		.createTable('visit_sums')
		.addColumn('id', key, (c) => c.notNull().primaryKey())
		.addColumn('addresses', 'integer', (c) => c.notNull())
		.execute();
	await sql`insert into visit_sums (id, addresses) values ('visits', 0)`.execute(db);
}
