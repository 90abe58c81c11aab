import type { Insertable, Updateable } from 'kysely';
import { sql } from 'kysely';
import { lockRows } from '../../db/row-lock.ts';
import type { Db, Schema } from '../../db/schema.ts';
import { containsPattern } from '../../db/search.ts';

export type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

export type ProofRow = NonNullable<Awaited<ReturnType<typeof findProof>>>;

export interface OrdersQuery {
	searchKey: string;
	status: 'All' | 'Pending' | 'Complete';
	/** Last row of the page before. */
	after: { createdAt: string; id: string } | null;
	limit: number;
}

const orderCode = /^[a-z0-9]{1,3}-[0-9a-z]{4}-[0-9a-z]{2}$/u;

function matching(db: Db, query: Pick<OrdersQuery, 'searchKey' | 'status'>) {
	let orders = db.selectFrom('orders');
	// Where one order names another, it does so by its code.
	if (orderCode.test(query.searchKey)) orders = orders.where('code', '=', query.searchKey.toUpperCase());
	else if (query.searchKey !== '') orders = orders.where('search_key', 'like', containsPattern(query.searchKey));
	if (query.status === 'Complete') orders = orders.where('status', '=', 'Complete');
	if (query.status === 'Pending')
		orders = orders.where((where) => where.or([where('status', 'is', null), where('status', '=', 'Pending')]));
	return orders;
}

/** One page, newest first. */
export function listOrders(db: Db, query: OrdersQuery) {
	let page = matching(db, query).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(query.limit);
	const { after } = query;
	if (after !== null) {
		page = page.where((where) =>
			where(where.refTuple('created_at', 'id'), '<', where.tuple(after.createdAt, after.id)),
		);
	}
	return page.execute();
}

export async function countOrders(db: Db, query: Pick<OrdersQuery, 'searchKey' | 'status'>): Promise<number> {
	const row = await matching(db, query)
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return row.count;
}

/** Counts and sums; an order without a price counts at the price of today. */
export function sumOrders(db: Db, currentPaise: number) {
	const price = sql<number>`coalesce(price_paise, ${sql.lit(currentPaise)})`;
	const isComplete = sql<boolean>`status = 'Complete'`;
	return db
		.selectFrom('orders')
		.select((eb) => [
			eb.fn.countAll<number>().as('total'),
			sql<number>`coalesce(sum(case when ${isComplete} then 1 else 0 end), 0)`.as('complete'),
			sql<number>`coalesce(sum(${price}), 0)`.as('totalPaise'),
			sql<number>`coalesce(sum(case when ${isComplete} then ${price} else 0 end), 0)`.as('verifiedPaise'),
		])
		.executeTakeFirstOrThrow();
}

export function findOrder(db: Db, id: string) {
	return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findOrderForUpdate(tx: Db, id: string) {
	return lockRows(tx, tx.selectFrom('orders').selectAll().where('id', '=', id)).executeTakeFirst();
}

/** All orders of a person, oldest first. */
export function listOrdersOfUser(db: Db, userId: string) {
	return db
		.selectFrom('orders')
		.selectAll()
		.where('user_id', '=', userId)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

/** A person's newest order that is not Complete. */
export function findOpenOrder(tx: Db, userId: string) {
	return tx
		.selectFrom('orders')
		.selectAll()
		.where('user_id', '=', userId)
		.where((where) => where.or([where('status', 'is', null), where('status', '=', 'Pending')]))
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
}

export async function hasOrderCode(db: Db, code: string): Promise<boolean> {
	return (await db.selectFrom('orders').select('id').where('code', '=', code).executeTakeFirst()) !== undefined;
}

/** Whether a person has an order that is Complete, or only others, or none. */
export async function findOrderState(db: Db, userId: string): Promise<'none' | 'pending' | 'open'> {
	const row = await db
		.selectFrom('orders')
		.select(sql<number | null>`max(case when status = 'Complete' then 1 else 0 end)`.as('isComplete'))
		.where('user_id', '=', userId)
		.executeTakeFirstOrThrow();
	if (row.isComplete === null) return 'none';
	return row.isComplete === 1 ? 'open' : 'pending';
}

export async function insertOrder(tx: Db, row: Insertable<Schema['orders']>): Promise<void> {
	await tx.insertInto('orders').values(row).execute();
}

export async function updateOrder(tx: Db, id: string, changes: Updateable<Schema['orders']>): Promise<void> {
	await tx.updateTable('orders').set(changes).where('id', '=', id).execute();
}

export async function deleteOrder(tx: Db, id: string): Promise<void> {
	await tx.deleteFrom('orders').where('id', '=', id).execute();
}

export async function insertProof(tx: Db, row: Insertable<Schema['proofs']>): Promise<void> {
	await tx.insertInto('proofs').values(row).execute();
}

/** Proofs of some orders, newest first. */
export function listProofs(db: Db, orderIds: string[]) {
	return db
		.selectFrom('proofs')
		.selectAll()
		.where('order_id', 'in', orderIds)
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.execute();
}

export async function countOrdersOfUser(db: Db, userId: string): Promise<number> {
	const row = await db
		.selectFrom('orders')
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('user_id', '=', userId)
		.executeTakeFirstOrThrow();
	return row.count;
}

export function findProof(db: Db, id: string) {
	return db.selectFrom('proofs').selectAll().where('id', '=', id).executeTakeFirst();
}
