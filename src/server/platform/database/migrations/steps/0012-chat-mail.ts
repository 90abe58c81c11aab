import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds mails about unread messages and an index of unread conversations; collapses whitespace in search keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	for (const side of [sql`user`, sql`admin`]) {
		await sql`alter table conversations add column ${side}_mail_due_at ${key}`.execute(db);
		await sql`alter table conversations add column ${side}_mailed_through integer default 0 not null`.execute(db);
		await sql`create index conversations_${side}_mail on conversations (${side}_mail_due_at)
			where ${side}_mail_due_at is not null`.execute(db);
	}
	await db.schema.alterTable('conversations').addColumn('user_locale', 'text').execute();

	// For deleting unsent mails about messages that were seen or deleted.
	await db.schema.alterTable('outbox').addColumn('chat_key', key).execute();
	await sql`create index outbox_chat on outbox (chat_key) where chat_key is not null`.execute(db);

	await collapseWhitespace(db);

	// For the list of unread conversations, newest first, and for their number.
	await db.schema.dropIndex('conversations_unread').execute();
	await sql`create index conversations_unread on conversations (last_at, user_id, admin_unread) where admin_unread > 0`.execute(
		db,
	);
}

/** Collapses whitespace in search keys to one space; on SQLite, three replacements collapse up to eight spaces. */
export async function collapseWhitespace(db: Kysely<unknown>): Promise<void> {
	const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	const line = sql.raw("replace(replace(replace(search_key, char(13), ' '), char(10), ' '), char(9), ' ')");
	const narrow = sql`replace(replace(replace(${line}, '  ', ' '), '  ', ' '), '  ', ' ')`;
	const folded = isPostgres ? sql`regexp_replace(search_key, '\\s+', ' ', 'g')` : narrow;
	await sql`update messages set search_key = ${folded} where search_key <> ${folded}`.execute(db);
}
