import { type Kysely, sql } from 'kysely';
import { keyText } from './key-text.ts';
import { createNameSearch } from './name-search.ts';

/** Two-factor sign-in, viewing as a member, the credentials lookup, imported logins, and indexes for 10,000 people. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = keyText(db);

	await db.schema.alterTable('users').addColumn('totp_secret_sealed', 'text').execute();
	await db.schema.alterTable('users').addColumn('totp_confirmed_at', key).execute();
	await db.schema.alterTable('users').addColumn('totp_last_step', 'bigint').execute();
	await db.schema
		.alterTable('sessions')
		.addColumn('viewed_user_id', key, (c) => c.references('users.id').onDelete('set null'))
		.execute();

	await db.schema
		.createTable('recovery_codes')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('code_hash', key, (c) => c.notNull())
		.addColumn('used_at', key)
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema
		.createIndex('recovery_codes_user')
		.on('recovery_codes')
		.columns(['user_id', 'code_hash'])
		.unique()
		.execute();

	await db.schema
		.createTable('credentials')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('lookup_key', key, (c) => c.notNull().unique())
		.addColumn('record_sealed', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('updated_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('credentials_newest').on('credentials').columns(['created_at', 'id']).execute();

	await db.schema
		.createTable('credential_lookups')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('at', key, (c) => c.notNull())
		.addColumn('asked_sealed', 'text', (c) => c.notNull())
		.addColumn('is_found', 'integer', (c) => c.notNull())
		.addColumn('user_id', key, (c) => c.references('users.id').onDelete('set null'))
		.addColumn('ip', 'text', (c) => c.notNull())
		.addColumn('user_agent', 'text', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('credential_lookups_newest').on('credential_lookups').columns(['at', 'id']).execute();
	await db.schema
		.createIndex('credential_lookups_found')
		.on('credential_lookups')
		.columns(['is_found', 'at', 'id'])
		.execute();

	await db.schema
		.createTable('imported_logins')
		.addColumn('email_key', key, (c) => c.primaryKey())
		.addColumn('email', 'text', (c) => c.notNull())
		.addColumn('verifier', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();

	// Whether somebody has signed in from an address before.
	await db.schema.createIndex('login_history_ip').on('login_history').columns(['user_id', 'ip', 'at']).execute();

	await db.schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'at', 'id']).execute();
	await db.schema.createIndex('audit_actor_action').on('audit').columns(['actor_id', 'action', 'at', 'id']).execute();
	await db.schema.createIndex('audit_subject').on('audit').columns(['subject_id', 'at', 'id']).execute();
	await db.schema.createIndex('audit_action').on('audit').columns(['action', 'at', 'id']).execute();

	// A person's count gives the order that a clock set back would not.
	await db.schema.dropIndex('login_history_user').execute();
	await db.schema.createIndex('login_history_newest').on('login_history').columns(['user_id', 'login_count']).execute();

	// Newest first by the last sign-in, or by the registration of whoever has not signed in yet.
	await sql`create index users_recent on users (coalesce(last_login_at, created_at) desc, id)`.execute(db);
	await db.schema.createIndex('users_filter').on('users').columns(['active', 'role']).execute();
	await createNameSearch(db, 'users', 'email_key');
}
