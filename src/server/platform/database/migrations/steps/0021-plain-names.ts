import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Incompatible with the previous version, which uses the old names. */
export const isCompatibleWithPrevious = false;

// Always in this order, because a rename locks a table until the commit, and another order could deadlock.
const tables: Array<[from: string, to: string]> = [
	['book_grants', 'book_access'],
	['grants', 'shares'],
	['holds', 'process_leases'],
	['marked_copies', 'watermarked_copies'],
	['proof_looks', 'proof_fingerprints'],
	['proof_turns', 'proof_sequence'],
	['put_off_removals', 'deferred_deletes'],
	['reading_marks', 'annotations'],
	['reading_places', 'reading_positions'],
];

const columns: Array<[table: string, from: string, to: string]> = [
	['audit', 'gone_email_key', 'deleted_email_key'],
	['canned_replies', 'place', 'position'],
	['leases', 'holder', 'owner'],
	['leases', 'leased_until', 'expires_at'],
	['process_leases', 'until', 'expires_at'],
	['proof_fingerprints', 'look', 'fine_fingerprint'],
	['proof_fingerprints', 'outline', 'coarse_fingerprint'],
	['sessions', 'view_ends_at', 'impersonation_ends_at'],
	['sessions', 'viewed_user_id', 'impersonated_user_id'],
	['shares', 'granted_by', 'shared_by'],
	['users_counts', 'people', 'users'],
	['watermarked_copies', 'tries', 'attempts'],
	['watermarked_copies', 'wanted_mark', 'wanted_watermark'],
];

const indexes: Array<[from: string, to: string, on: string]> = [
	['audit_gone', 'audit_deleted_email', 'audit (deleted_email_key, at, id) where deleted_email_key is not null'],
	['grants_in_space', 'shares_in_space', 'shares (owner_id, recipient_id)'],
	['grants_newest', 'shares_newest', 'shares (kind, kind_order, created_at, id)'],
	['grants_of_recipient', 'shares_of_recipient', 'shares (recipient_id, kind, kind_order, sort_key, node_id)'],
	['holds_kind', 'process_leases_kind', 'process_leases (kind, expires_at)'],
	['marked_copies_blob', 'watermarked_copies_blob', 'watermarked_copies (blob_id)'],
	['marked_copies_edition', 'watermarked_copies_edition', 'watermarked_copies (edition, user_id)'],
	['orders_desk', 'orders_listing', 'orders (created_at, id, status, price_paise, search_key)'],
	['reading_marks_node', 'annotations_node', 'annotations (node_id)'],
	['reading_marks_page', 'annotations_page', 'annotations (user_id, document, page)'],
	['reading_places_furthest', 'reading_positions_furthest', 'reading_positions (document, furthest_share, user_id)'],
	['reading_places_node', 'reading_positions_node', 'reading_positions (node_id)'],
	['reading_places_read', 'reading_positions_read', 'reading_positions (document, read_at, user_id)'],
	['sessions_view_ends', 'sessions_impersonation_ends', 'sessions (impersonation_ends_at)'],
	['sessions_viewed', 'sessions_impersonated_user', 'sessions (impersonated_user_id)'],
];

/** Renames tables, columns and indexes to the names that the rest of the program uses; changes no rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
	for (const [from, to] of tables) await db.schema.alterTable(from).renameTo(to).execute();
	for (const [table, from, to] of columns) await db.schema.alterTable(table).renameColumn(from, to).execute();
	if (db.getExecutor().adapter instanceof PostgresAdapter) {
		for (const [from, to] of indexes) await sql`alter index ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(db);
		await replaceUserCounting(db);
		return;
	}
	// SQLite cannot rename an index.
	for (const [from, to, on] of indexes) {
		await db.schema.dropIndex(from).execute();
		await sql`create index ${sql.ref(to)} on ${sql.raw(on)}`.execute(db);
	}
}

/** Replaces the trigger function: renaming a column changes SQLite's triggers, but not PostgreSQL's functions. */
async function replaceUserCounting(db: Kysely<unknown>): Promise<void> {
	await sql`create or replace function users_counts_keep() returns trigger language plpgsql as $keep$ begin
		if tg_op <> 'INSERT' then update users_counts set users = users - 1 where active = old.active and role = old.role; end if;
		if tg_op <> 'DELETE' then update users_counts set users = users + 1 where active = new.active and role = new.role; end if;
		return null; end $keep$`.execute(db);
}
