import { type Kysely, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds secret links to an order's page, and the owner's note to the buyer. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	await db.schema
		.createTable('order_links')
		.addColumn('id', key, (c) => c.primaryKey())
		.addColumn('token_hash', key, (c) => c.notNull().unique())
		.addColumn('order_id', key, (c) => c.notNull().references('orders.id').onDelete('cascade'))
		.addColumn('of_link_id', key, (c) => c.references('order_links.id').onDelete('cascade'))
		.addColumn('email', 'text')
		.addColumn('made_account', 'integer', (c) => c.notNull())
		.addColumn('created_at', key, (c) => c.notNull())
		.execute();
	await db.schema.createIndex('order_links_order').on('order_links').column('order_id').execute();
	await db.schema.createIndex('order_links_of').on('order_links').column('of_link_id').execute();

	await sql`alter table proofs add column link_id ${key} references order_links (id) on delete set null`.execute(db);
	await db.schema.createIndex('proofs_link').on('proofs').column('link_id').execute();

	for (const column of ['note', 'note_at', 'proof_wanted_at', 'completed_at', 'receipt_to', 'locale'])
		await db.schema.alterTable('orders').addColumn(column, key).execute();

	await db.schema.alterTable('outbox').addColumn('order_link_id', key).execute();
	await db.schema.createIndex('outbox_order_link').on('outbox').column('order_link_id').execute();
}
