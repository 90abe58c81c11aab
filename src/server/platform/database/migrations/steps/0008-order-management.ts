import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { createTrigramSearch } from '../trigram-search.ts';

/** Prepares for 100,000 orders: search by name and email, an index for each filter, and stored sums. */
export async function up(db: Kysely<unknown>): Promise<void> {
	const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	await createTrigramSearch(db, 'orders', 'search_key');

	// With these indexes, pages of search results and sums by day do not read the table. PostgreSQL's indexes have no
	// search key, because PostgreSQL cannot index long texts.
	const found = isPostgres ? sql`` : sql`, search_key`;
	await sql`create index orders_desk on orders (created_at, id, status, price_paise${found})`.execute(db);
	await sql`create index orders_by_status on orders (coalesce(status, 'Pending'), created_at, id${found})`.execute(db);
	await db.schema.dropIndex('orders_newest').execute();

	await createTotals(db, isPostgres);
}

/** Creates `orders_totals`, which triggers update. It has one row: with several, concurrent changes could deadlock. */
async function createTotals(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
	await db.schema
		.createTable('orders_totals')
		.addColumn('orders', 'integer', (c) => c.notNull())
		.addColumn('complete', 'integer', (c) => c.notNull())
		.addColumn('unpriced', 'integer', (c) => c.notNull())
		.addColumn('unpriced_complete', 'integer', (c) => c.notNull())
		.addColumn('paise', 'bigint', (c) => c.notNull())
		.addColumn('complete_paise', 'bigint', (c) => c.notNull())
		.execute();
	await sql`insert into orders_totals (orders, complete, unpriced, unpriced_complete, paise, complete_paise)
		select count(*),
			coalesce(sum(case when status = 'Complete' then 1 else 0 end), 0),
			coalesce(sum(case when price_paise is null then 1 else 0 end), 0),
			coalesce(sum(case when price_paise is null and status = 'Complete' then 1 else 0 end), 0),
			coalesce(sum(price_paise), 0),
			coalesce(sum(case when status = 'Complete' then price_paise else 0 end), 0)
		from orders`.execute(db);
	if (!isPostgres) {
		await sql`create trigger orders_totals_insert after insert on orders begin ${changeOrdersTotals('new')} end`.execute(
			db,
		);
		await sql`create trigger orders_totals_delete after delete on orders begin ${changeOrdersTotals('old')} end`.execute(
			db,
		);
		await sql`create trigger orders_totals_update after update of status, price_paise on orders begin
			${changeOrdersTotals('old')} ${changeOrdersTotals('new')} end`.execute(db);
		return;
	}
	await sql`create function orders_totals_keep() returns trigger language plpgsql as $keep$ begin
		if tg_op <> 'INSERT' then ${changeOrdersTotals('old')} end if;
		if tg_op <> 'DELETE' then ${changeOrdersTotals('new')} end if;
		return null; end $keep$`.execute(db);
	await sql`create trigger orders_totals_insert_delete after insert or delete on orders
		for each row execute function orders_totals_keep()`.execute(db);
	await sql`create trigger orders_totals_update after update of status, price_paise on orders
		for each row execute function orders_totals_keep()`.execute(db);
}

/** Returns the statement of a trigger that adds the new row of an order to the totals, or subtracts the old row. */
export function changeOrdersTotals(row: 'new' | 'old') {
	const sign = sql.raw(row === 'new' ? '+' : '-');
	const of = sql.raw(row);
	return sql`update orders_totals set orders = orders ${sign} 1,
			complete = complete ${sign} case when ${of}.status = 'Complete' then 1 else 0 end,
			unpriced = unpriced ${sign} case when ${of}.price_paise is null then 1 else 0 end,
			unpriced_complete = unpriced_complete ${sign}
				case when ${of}.price_paise is null and ${of}.status = 'Complete' then 1 else 0 end,
			paise = paise ${sign} coalesce(${of}.price_paise, 0),
			complete_paise = complete_paise ${sign}
				case when ${of}.status = 'Complete' then coalesce(${of}.price_paise, 0) else 0 end;`;
}
