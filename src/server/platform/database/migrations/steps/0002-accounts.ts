import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { byteOrderedText, createTrigramSearch } from '../trigram-search.ts';

/** Adds two-factor sign-in, impersonation, the credentials lookup, imported logins, and indexes for 10,000 users. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	await db.schema.alterTable('users').addColumn('totp_secret_sealed', 'text').execute();
	await db.schema.alterTable('users').addColumn('totp_confirmed_at', key).execute();
	await db.schema.alterTable('users').addColumn('totp_last_step', 'bigint').execute();
	await sql`alter table sessions add column viewed_user_id ${key} references users (id) on delete set null`.execute(db);
	await db.schema.alterTable('sessions').addColumn('view_ends_at', key).execute();

	await db.schema
		.createTable('recovery_codes')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('code_hash', key, (c) => c.notNull())
		.addColumn('used_at', key)
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await sql`create unique index recovery_codes_user on recovery_codes (user_id, code_hash)`.execute(db);

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
	await sql`create index credential_lookups_found on credential_lookups (is_found, at, id)`.execute(db);

	await db.schema
		.createTable('imported_logins')
		.addColumn('email_key', key, (c) => c.notNull().primaryKey())
		.addColumn('email', 'text', (c) => c.notNull())
		.addColumn('verifier', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();

	// For finding out whether a user has signed in from an IP address before.
	await db.schema.createIndex('login_history_ip').on('login_history').columns(['user_id', 'ip', 'at']).execute();
	// For account deletion, which finds the rows of a user and the rows that refer to them.
	await db.schema.createIndex('nodes_owner').on('nodes').columns(['owner_id', 'kind']).execute();
	await db.schema.createIndex('uploads_user').on('uploads').column('user_id').execute();
	await db.schema.createIndex('uploads_owner').on('uploads').column('owner_id').execute();
	await db.schema.createIndex('sessions_view_ends').on('sessions').column('view_ends_at').execute();
	await db.schema.createIndex('sessions_viewed').on('sessions').column('viewed_user_id').execute();
	await db.schema.createIndex('credential_lookups_user').on('credential_lookups').column('user_id').execute();

	await db.schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'at', 'id']).execute();
	await db.schema.createIndex('audit_actor_action').on('audit').columns(['actor_id', 'action', 'at', 'id']).execute();
	await db.schema.createIndex('audit_subject').on('audit').columns(['subject_id', 'at', 'id']).execute();
	await db.schema.createIndex('audit_action').on('audit').columns(['action', 'at', 'id']).execute();

	// For finding the audit entry about a user's deletion by the user's email; null in all other entries.
	await db.schema.alterTable('audit').addColumn('gone_email_key', key).execute();
	await sql`create index audit_gone on audit (gone_email_key, at, id) where gone_email_key is not null`.execute(db);

	// Sorted by the login count, because times are in the wrong order if the clock was set back.
	await db.schema.dropIndex('login_history_user').execute();
	await db.schema.createIndex('login_history_newest').on('login_history').columns(['user_id', 'login_count']).execute();

	// Sorted by the last sign-in, or by the registration of users who have not signed in.
	const recent = sql`coalesce(last_login_at, created_at) desc, id`;
	await sql`create index users_recent on users (${recent})`.execute(db);
	await sql`create index users_active_recent on users (active, ${recent})`.execute(db);
	await sql`create index users_role_recent on users (role, ${recent})`.execute(db);
	await createUserCounts(db);
	await addSearchKey(db);
	await createTrigramSearch(db, 'users', 'search_key');
}

/** Adds `users.search_key`, email and name in one column, so that one index is enough for searches. */
async function addSearchKey(db: Kysely<unknown>): Promise<void> {
	const anyDb = db as Kysely<{ users: { id: string; email_key: string; name: string | null; search_key: string } }>;
	await sql`alter table users add column search_key text default '' not null`.execute(db);
	// Computed here, because SQLite's lower() changes only ASCII letters.
	for (const { id, email_key, name } of await anyDb.selectFrom('users').select(['id', 'email_key', 'name']).execute()) {
		const searchKey = `${email_key}\n${(name ?? '').normalize('NFKC').toLowerCase()}`;
		await anyDb.updateTable('users').set({ search_key: searchKey }).where('id', '=', id).execute();
	}
}

/** Creates `users_counts`, updated by triggers, so that no request counts 10,000 rows. */
async function createUserCounts(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.createTable('users_counts')
		.addColumn('active', 'integer', (c) => c.notNull())
		.addColumn('role', byteOrderedText(db), (c) => c.notNull())
		.addColumn('people', 'integer', (c) => c.notNull())
		.addPrimaryKeyConstraint('users_counts_pk', ['active', 'role'])
		.execute();
	for (const active of [0, 1])
		for (const role of ['user', 'admin'])
			await sql`insert into users_counts (active, role, people)
				select ${sql.lit(active)}, ${sql.lit(role)}, count(*) from users where active = ${sql.lit(active)} and role = ${sql.lit(role)}`.execute(
				db,
			);
	const oneMore = sql`update users_counts set people = people + 1 where active = new.active and role = new.role;`;
	const oneLess = sql`update users_counts set people = people - 1 where active = old.active and role = old.role;`;
	if (!(db.getExecutor().adapter instanceof PostgresAdapter)) {
		await sql`create trigger users_counts_insert after insert on users begin ${oneMore} end`.execute(db);
		await sql`create trigger users_counts_delete after delete on users begin ${oneLess} end`.execute(db);
		await sql`create trigger users_counts_update after update of active, role on users begin ${oneLess} ${oneMore} end`.execute(
			db,
		);
		return;
	}
	await sql`create function users_counts_keep() returns trigger language plpgsql as $keep$ begin
		if tg_op <> 'INSERT' then ${oneLess} end if;
		if tg_op <> 'DELETE' then ${oneMore} end if;
		return null; end $keep$`.execute(db);
	await sql`create trigger users_counts_insert_delete after insert or delete on users
		for each row execute function users_counts_keep()`.execute(db);
	await sql`create trigger users_counts_update after update of active, role on users
		for each row execute function users_counts_keep()`.execute(db);
}
