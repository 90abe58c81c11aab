import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { changeOrdersTotals } from './0008-order-management.ts';

/** Compatible with the previous version: the column has a default, and only this version inserts a test order. */
export const isCompatibleWithPrevious = true;

/** Marks the order of a test purchase. There is at most one, and the totals leave it out. */
export async function up(db: Kysely<unknown>): Promise<void> {
	await sql`alter table orders add column is_test integer default 0 not null`.execute(db);
	await sql`create unique index orders_test on orders (is_test) where is_test = 1`.execute(db);
	if (db.getExecutor().adapter instanceof PostgresAdapter) {
		for (const name of ['insert_delete', 'update'])
			await sql`drop trigger ${sql.ref(`orders_totals_${name}`)} on orders`.execute(db);
		const keep = sql`for each row when (new.is_test = 0) execute function orders_totals_keep()`;
		await sql`create trigger orders_totals_insert after insert on orders ${keep}`.execute(db);
		await sql`create trigger orders_totals_update after update of status, price_paise on orders ${keep}`.execute(db);
		await sql`create trigger orders_totals_delete after delete on orders
			for each row when (old.is_test = 0) execute function orders_totals_keep()`.execute(db);
		return;
	}
	for (const name of ['insert', 'delete', 'update'])
		await sql`drop trigger ${sql.ref(`orders_totals_${name}`)}`.execute(db);
	await sql`create trigger orders_totals_insert after insert on orders when new.is_test = 0 begin
		${changeOrdersTotals('new')} end`.execute(db);
	await sql`create trigger orders_totals_delete after delete on orders when old.is_test = 0 begin
		${changeOrdersTotals('old')} end`.execute(db);
	await sql`create trigger orders_totals_update after update of status, price_paise on orders when new.is_test = 0 begin
		${changeOrdersTotals('old')} ${changeOrdersTotals('new')} end`.execute(db);
}
