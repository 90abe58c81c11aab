import { type ColumnDataType, type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

const big: ColumnDataType = 'bigint';

/** Creates the tables for accounts, files, orders, settings, mail, jobs and the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	await db.schema
		.createTable('users')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('email', 'text', (c) => c.notNull())
		.addColumn('email_key', key, (c) => c.notNull().unique())
		.addColumn('name', 'text')
		.addColumn('role', 'text', (c) => c.notNull())
		.addColumn('active', 'integer', (c) => c.notNull())
		.addColumn('login_count', 'integer', (c) => c.notNull().defaultTo(0))
		.addColumn('last_login_at', key)
		.addColumn('password_hash', 'text')
		.addColumn('initial_password_expires_at', key)
		.addColumn('has_initial_password', 'integer', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();

	await db.schema
		.createTable('sessions')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('token_hash', key, (c) => c.notNull().unique())
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('last_seen_at', key, (c) => c.notNull())
		.addColumn('expires_at', key, (c) => c.notNull())
		.addColumn('ip', 'text', (c) => c.notNull())
		.addColumn('user_agent', 'text', (c) => c.notNull())
		.addColumn('ended_at', key)
		.addColumn('ended_reason', 'text')
		.execute();
	await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();

	await db.schema
		.createTable('login_history')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('login_count', 'integer', (c) => c.notNull())
		.addColumn('at', key, (c) => c.notNull())
		.addColumn('ip', 'text', (c) => c.notNull())
		.addColumn('browser_info', 'text', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('login_history_user').on('login_history').columns(['user_id', 'at']).execute();

	await db.schema
		.createTable('password_links')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('token_hash', key, (c) => c.notNull().unique())
		.addColumn('expires_at', key)
		.addColumn('lifetime_seconds', 'integer', (c) => c.notNull())
		.addColumn('used_at', key)
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('password_links_user').on('password_links').column('user_id').execute();

	await db.schema
		.createTable('rate_limits')
		.addColumn('key', key, (c) => c.primaryKey())
		.addColumn('count', 'integer', (c) => c.notNull())
		.addColumn('resets_at', key, (c) => c.notNull())
		.execute();

	await db.schema
		.createTable('blobs')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('storage_key', key, (c) => c.notNull().unique())
		.addColumn('size_bytes', big, (c) => c.notNull())
		.addColumn('sha256', 'text', (c) => c.notNull())
		.addColumn('content_type', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();

	await db.schema
		.createTable('nodes')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('owner_id', key, (c) => c.notNull())
		.addColumn('parent_id', key, (c) => c.references('nodes.id'))
		.addColumn('path', key, (c) => c.notNull())
		.addColumn('real_path', key)
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('kind_order', 'integer', (c) => c.notNull())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('name_key', key, (c) => c.notNull())
		.addColumn('sort_key', key, (c) => c.notNull())
		.addColumn('ending', key, (c) => c.notNull())
		.addColumn('size_bytes', big, (c) => c.notNull())
		.addColumn('blob_id', key, (c) => c.references('blobs.id'))
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('deleted_at', key)
		.execute();
	// Make names unique in a folder, for files and folders together, even when transactions run concurrently.
	await sql`create unique index nodes_name on nodes (owner_id, path, name_key) where deleted_at is null`.execute(db);
	await sql`create unique index nodes_real_path on nodes (owner_id, real_path) where real_path is not null`.execute(db);
	await sql`create index nodes_listing on nodes (owner_id, path, kind_order, sort_key, id) where deleted_at is null`.execute(
		db,
	);
	await db.schema.createIndex('nodes_parent').on('nodes').column('parent_id').execute();
	await db.schema.createIndex('nodes_blob').on('nodes').column('blob_id').execute();

	await db.schema
		.createTable('uploads')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('user_id', key, (c) => c.notNull().references('users.id').onDelete('cascade'))
		.addColumn('owner_id', key, (c) => c.notNull())
		.addColumn('parent_id', key)
		.addColumn('path', key, (c) => c.notNull())
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('storage_key', key, (c) => c.notNull())
		.addColumn('size_bytes', big, (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('finished_at', key)
		.addColumn('node_id', key)
		.execute();

	await db.schema
		.createTable('orders')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('code', key, (c) => c.notNull().unique())
		.addColumn('user_id', key, (c) => c.references('users.id').onDelete('set null'))
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('email', 'text', (c) => c.notNull())
		.addColumn('phone', 'text', (c) => c.notNull())
		.addColumn('upi_id_sealed', 'text', (c) => c.notNull())
		.addColumn('search_key', key, (c) => c.notNull())
		.addColumn('price_paise', big)
		.addColumn('status', key)
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('updated_at', key, (c) => c.notNull())
		.addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
		.execute();
	await db.schema.createIndex('orders_newest').on('orders').columns(['created_at', 'id']).execute();
	await db.schema.createIndex('orders_user').on('orders').columns(['user_id', 'status']).execute();

	await db.schema
		.createTable('proofs')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('order_id', key, (c) => c.notNull().references('orders.id').onDelete('cascade'))
		.addColumn('blob_id', key, (c) => c.notNull().references('blobs.id'))
		.addColumn('thumb_blob_id', key, (c) => c.notNull().references('blobs.id'))
		.addColumn('name', 'text', (c) => c.notNull())
		.addColumn('phone', 'text', (c) => c.notNull())
		.addColumn('upi_id_sealed', 'text', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('proofs_order').on('proofs').columns(['order_id', 'created_at']).execute();
	await db.schema.createIndex('proofs_blob').on('proofs').column('blob_id').execute();
	await db.schema.createIndex('proofs_thumb').on('proofs').column('thumb_blob_id').execute();

	await db.schema
		.createTable('settings')
		.addColumn('key', key, (c) => c.primaryKey())
		.addColumn('value', 'text', (c) => c.notNull())
		.addColumn('version', 'integer', (c) => c.notNull())
		.addColumn('updated_at', key, (c) => c.notNull())
		.execute();

	await db.schema
		.createTable('outbox')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('message_id', key, (c) => c.notNull().unique())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('recipient', 'text', (c) => c.notNull())
		.addColumn('payload_sealed', 'text')
		.addColumn('state', key, (c) => c.notNull())
		.addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
		.addColumn('next_attempt_at', key, (c) => c.notNull())
		.addColumn('leased_until', key)
		.addColumn('created_at', key, (c) => c.notNull())
		.addColumn('sent_at', key)
		.addColumn('last_error', 'text')
		.execute();
	await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_attempt_at']).execute();

	await db.schema
		.createTable('jobs')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('kind', 'text', (c) => c.notNull())
		.addColumn('payload', 'text', (c) => c.notNull())
		.addColumn('run_at', key, (c) => c.notNull())
		.addColumn('leased_until', key)
		.addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
		.addColumn('done_at', key)
		.addColumn('last_error', 'text')
		.execute();
	await db.schema.createIndex('jobs_due').on('jobs').columns(['done_at', 'run_at']).execute();

	await db.schema
		.createTable('audit')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('at', key, (c) => c.notNull())
		.addColumn('actor_id', key)
		.addColumn('actor_email', 'text', (c) => c.notNull())
		.addColumn('action', key, (c) => c.notNull())
		.addColumn('subject_kind', key, (c) => c.notNull())
		.addColumn('subject_id', key, (c) => c.notNull())
		.addColumn('detail', 'text', (c) => c.notNull())
		.addColumn('ip', 'text', (c) => c.notNull())
		.execute();
	await db.schema.createIndex('audit_newest').on('audit').columns(['at', 'id']).execute();
}
