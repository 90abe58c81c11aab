import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { keyText } from './key-text.ts';

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

	await db.schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'at', 'id']).execute();
	await db.schema.createIndex('audit_subject').on('audit').columns(['subject_id', 'at', 'id']).execute();
	await db.schema.createIndex('audit_action').on('audit').columns(['action', 'at', 'id']).execute();

	// Newest first by the last sign-in, or by the registration of whoever has not signed in yet.
	await sql`create index users_recent on users (coalesce(last_login_at, created_at) desc, id)`.execute(db);
	await db.schema.createIndex('users_filter').on('users').columns(['active', 'role']).execute();
	await createPeopleSearch(db);
}

/**
 * `users_search` (id, email_key): a pattern of three or more letters anywhere in the address is found by trigrams, on
 * SQLite by an FTS5 table kept by triggers (sqlite.org/fts5.html, the trigram tokenizer), on PostgreSQL by pg_trgm
 * where the server has it. Both are asked by the same `like`.
 */
async function createPeopleSearch(db: Kysely<unknown>): Promise<void> {
	if (db.getExecutor().adapter instanceof PostgresAdapter) {
		await sql`create view users_search as select id, email_key from users`.execute(db);
		const { rows } = await sql`select 1 from pg_available_extensions where name = 'pg_trgm'`.execute(db);
		if (rows.length === 0) return;
		await sql`create extension if not exists pg_trgm`.execute(db);
		await sql`create index users_email_grams on users using gin (email_key gin_trgm_ops)`.execute(db);
		return;
	}
	await sql`create virtual table users_search using fts5(id unindexed, email_key, tokenize = 'trigram')`.execute(db);
	await sql`insert into users_search (rowid, id, email_key) select rowid, id, email_key from users`.execute(db);
	await sql`create trigger users_search_insert after insert on users begin
		insert into users_search (rowid, id, email_key) values (new.rowid, new.id, new.email_key); end`.execute(db);
	await sql`create trigger users_search_delete after delete on users begin
		delete from users_search where rowid = old.rowid; end`.execute(db);
	await sql`create trigger users_search_update after update of email_key on users begin
		update users_search set email_key = new.email_key where rowid = new.rowid; end`.execute(db);
}
