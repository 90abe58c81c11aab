import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** The previous version neither reads nor writes the table, and the indexes do not change its results. */
export const isCompatibleWithPrevious = true;

/** Adds saved filters of admins, and indexes for the sort orders of the users list. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);
	await db.schema
		.createTable('saved_filters')
		.addColumn('id', key, (c) => c.notNull().primaryKey())
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('list', key, (c) => c.notNull())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('name_key', key, (c) => c.notNull())
		.addColumn('query', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await sql`create unique index saved_filters_name on saved_filters (user_id, list, name_key)`.execute(db);

	const newest = sql`created_at desc, id`;
	await sql`create index users_newest on users (${newest})`.execute(db);
	await sql`create index users_active_newest on users (active, ${newest})`.execute(db);
	await sql`create index users_role_newest on users (role, ${newest})`.execute(db);
	await sql`create index users_active_email on users (active, email_key)`.execute(db);
	await sql`create index users_role_email on users (role, email_key)`.execute(db);
}
