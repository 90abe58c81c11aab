import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { byteOrderedText } from '../trigram-search.ts';

/** Adds payment references of completed orders, prices of submissions, and searches for two characters. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const key = byteOrderedText(db);

	// No foreign key, because a row is kept when its order is deleted.
	await db.schema
		.createTable('used_references')
		.addColumn('utr_key', key, (c) => c.notNull())
		.addColumn('order_id', key, (c) => c.notNull())
		.addColumn('order_code', 'text', (c) => c.notNull())
		.addColumn('used_at', key, (c) => c.notNull())
		.addPrimaryKeyConstraint('used_references_key', ['utr_key', 'order_id'])
		.execute();
	await db.schema.createIndex('used_references_order').on('used_references').column('order_id').execute();
	await recordReferencesOfCompleteOrders(db);

	// The price that was shown for a submission; it may differ from the price of the order to which it was added.
	await db.schema.alterTable('order_links').addColumn('price_paise', 'integer').execute();

	// For finding another order's first proof with a reference without sorting all proofs with this reference.
	await db.schema.dropIndex('proofs_utr').execute();
	await db.schema.createIndex('proofs_utr').on('proofs').columns(['utr_key', 'created_at', 'order_id']).execute();

	// For searches for two characters: they are the start of a trigram, or the end of the text. Only on SQLite, because
	// on PostgreSQL a search without an index does not block other queries.
	if (db.getExecutor().adapter instanceof PostgresAdapter) return;
	await sql`create virtual table orders_search_pieces using fts5vocab('orders_search', 'instance')`.execute(db);
	await sql`create index orders_ending on orders (substr(search_key, -2))`.execute(db);
}

/** Inserts the references of orders that are already Complete. */
export async function recordReferencesOfCompleteOrders(db: Kysely<unknown>): Promise<void> {
	await sql`insert into used_references (utr_key, order_id, order_code, used_at)
		select distinct p.utr_key, o.id, o.code, coalesce(o.completed_at, o.updated_at)
		from proofs p join orders o on o.id = p.order_id
		where p.utr_key is not null and o.status = 'Complete'`.execute(db);
}
