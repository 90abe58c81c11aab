import { setImmediate } from 'node:timers/promises';
import { sql, type Updateable } from 'kysely';
import { isPostgres } from '../../platform/database/connection.ts';
import { countRows, insertInto, isBeyond, pageAfter } from '../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../platform/database/schema.ts';
import {
	containsPattern,
	hasTrigrams,
	isTwoCharacterSearch,
	roughPattern,
	twoCharacterMatchIds,
} from '../../platform/database/search.ts';
import { testOrderId } from '../../platform/database/test-purchase.ts';
import { lockRows } from '../../platform/database/transaction.ts';
import { lockUserIfExists } from '../accounts/index.ts';

export type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

export type ProofRow = NonNullable<Awaited<ReturnType<typeof findProof>>>;

export interface OrdersQuery {
	searchKey: string;
	status: 'All' | 'Pending' | 'Complete';
	sort: 'newest' | 'oldest';
	/** Whether many orders match. Then scanning in the order of the list is faster than sorting all matches. */
	isBroad: boolean;
	after: { createdAt: string; id: string } | null;
	/** The last row to scan, inclusive. */
	upTo?: { createdAt: string; id: string } | null;
	limit: number;
}

export type OrdersCondition = Pick<OrdersQuery, 'searchKey' | 'status' | 'sort' | 'isBroad'>;

const orderCode = /^[a-z0-9]{1,3}-[0-9a-z]{4}-[0-9a-z]{2}$/u;
// Must be identical to the expression in the index of migration 0008.
const statusOrPending = sql<string>`coalesce(status, 'Pending')`;

const directions = {
	newest: { order: 'desc', upTo: '>=' },
	oldest: { order: 'asc', upTo: '<=' },
} as const;

function filterOrders(db: Db, { searchKey, status, isBroad }: OrdersCondition) {
	let orders = db.selectFrom('orders');
	// A search for a whole code finds only the order with this code.
	if (orderCode.test(searchKey)) orders = orders.where('code', '=', searchKey.toUpperCase());
	else if (searchKey !== '') {
		if (!isBroad && hasTrigrams(searchKey)) {
			orders = orders.where('id', 'in', (eb) =>
				eb.selectFrom('orders_search').select('id').where('search_key', 'like', roughPattern(searchKey)),
			);
		} else if (!isBroad && isTwoCharacterSearch(db, searchKey))
			orders = orders.where('id', 'in', twoCharacterMatchIds(searchKey));
		orders = orders.where('search_key', 'like', containsPattern(searchKey));
	}
	return status === 'All' ? orders : orders.where(statusOrPending, '=', sql.lit(status));
}

export function listOrders(db: Db, query: OrdersQuery) {
	// The subquery filters on indexed columns, so that only the rows of the page are read in full.
	const { after, upTo = null } = query;
	const direction = directions[query.sort];
	const page = filterOrders(db, query)
		.select('id')
		.where(isBeyond(['created_at', 'id'], direction.upTo, upTo && [upTo.createdAt, upTo.id]))
		.$call(pageAfter(after && [after.createdAt, after.id], ['created_at', 'id'], direction.order, query.limit));
	return db
		.selectFrom('orders')
		.selectAll()
		.where('id', 'in', page)
		.orderBy('created_at', direction.order)
		.orderBy('id', direction.order)
		.execute();
}

/** Like {@link listOrders}, but scans `rowsPerStep` rows at a time: on SQLite, a query makes other requests wait. */
export async function listOrdersInSteps(db: Db, query: OrdersQuery, rowsPerStep: number): Promise<OrderRow[]> {
	const found: OrderRow[] = [];
	for (let after = query.after; ; ) {
		const upTo = await findRowAfter(db, query.sort, after, rowsPerStep);
		found.push(...(await listOrders(db, { ...query, after, upTo, limit: query.limit - found.length })));
		if (upTo === null || found.length === query.limit) return found;
		after = upTo;
		await setImmediate();
	}
}

/** Returns the row that comes `rows` rows after `after`, or null when there are fewer rows. */
async function findRowAfter(
	db: Db,
	sort: OrdersQuery['sort'],
	after: OrdersQuery['after'],
	rows: number,
): Promise<OrdersQuery['after']> {
	const direction = directions[sort];
	const row = await db
		.selectFrom('orders')
		.select(['created_at as createdAt', 'id'])
		.$call(pageAfter(after && [after.createdAt, after.id], ['created_at', 'id'], direction.order, 1))
		.offset(rows - 1)
		.executeTakeFirst();
	return row ?? null;
}

export function countMatches(db: Db, condition: OrdersCondition, atMost: number): Promise<number> {
	const orders = filterOrders(db, condition).where('id', 'not in', testOrderId);
	const matching = orders.select(sql<number>`1`.as('found')).limit(atMost);
	return countRows(db.selectFrom(matching.as('some')));
}

/** Returns the counts and sums of all orders but the test order, from the single row that migration 0008 added. */
export function getTotals(db: Db) {
	return db.selectFrom('orders_totals').selectAll().executeTakeFirstOrThrow();
}

/** Returns counts and sums per day, from `from` (inclusive) to `before` (exclusive), without empty days and test order. */
export function sumDays(
	db: Db,
	days: ReadonlyArray<{ day: string; from: string; before: string }>,
	currentPaise: number,
) {
	const rows = sql.join(days.map(({ day, from, before }) => sql`(${day}, ${from}, ${before})`));
	const price = sql<number>`coalesce(orders.price_paise, ${sql.lit(currentPaise)})`;
	return db
		.with('days(day, starts, ends)', () => sql<{ day: string; starts: string; ends: string }>`(values ${rows})`)
		.selectFrom('days')
		.innerJoin('orders', (on) =>
			on.onRef('orders.created_at', '>=', 'days.starts').onRef('orders.created_at', '<', 'days.ends'),
		)
		.select((eb) => [
			'days.day',
			eb.fn.countAll<number>().as('orders'),
			sql<number>`sum(${price})`.as('totalPaise'),
			sql<number>`sum(case when orders.status = 'Complete' then ${price} else 0 end)`.as('verifiedPaise'),
		])
		.where('orders.id', 'not in', testOrderId)
		.groupBy('days.day')
		.execute();
}

export function findOrder(db: Db, id: string) {
	return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks an order and, before it, its user against deletion, until the transaction ends. */
export async function findOrderForUpdate(tx: Db, id: string) {
	if (isPostgres(tx)) {
		const users = tx.selectFrom('orders').innerJoin('users', 'users.id', 'orders.user_id').select('users.id');
		const user = await users.where('orders.id', '=', id).executeTakeFirst();
		if (user !== undefined) await lockUserIfExists(tx, user.id);
	}
	return lockRows(tx, tx.selectFrom('orders').selectAll().where('id', '=', id)).executeTakeFirst();
}

export function listOrdersById(db: Db, ids: string[]) {
	return db.selectFrom('orders').selectAll().where('id', 'in', ids).execute();
}

export function listOrdersOfUser(db: Db, userId: string) {
	return db
		.selectFrom('orders')
		.selectAll()
		.where('user_id', '=', userId)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

/** Finds and locks the newest Pending order of a locked user. Never the test order, to which no purchase may be added. */
export function findPendingOrder(tx: Db, userId: string) {
	const orders = tx
		.selectFrom('orders')
		.selectAll()
		.where('user_id', '=', userId)
		.where('is_test', '=', 0)
		.where((where) => where.or([where('status', 'is', null), where('status', '=', 'Pending')]))
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.limit(1);
	return lockRows(tx, orders).executeTakeFirst();
}

export async function hasOrderCode(db: Db, code: string): Promise<boolean> {
	return (await db.selectFrom('orders').select('id').where('code', '=', code).executeTakeFirst()) !== undefined;
}

export function findFirstCompleteOrder(db: Db, userId: string) {
	return db
		.selectFrom('orders')
		.select(['code', 'name'])
		.where('user_id', '=', userId)
		.where('status', '=', 'Complete')
		.orderBy('created_at')
		.orderBy('id')
		.limit(1)
		.executeTakeFirst();
}

/** Returns `open` with a Complete order, `pending` with only Pending ones, `none` without orders. */
export async function getOrderState(db: Db, userId: string): Promise<'none' | 'pending' | 'open'> {
	const row = await db
		.selectFrom('orders')
		.select(sql<number | null>`max(case when status = 'Complete' then 1 else 0 end)`.as('isComplete'))
		.where('user_id', '=', userId)
		.executeTakeFirstOrThrow();
	if (row.isComplete === null) return 'none';
	return row.isComplete === 1 ? 'open' : 'pending';
}

export const insertOrder = insertInto('orders');

export async function updateOrder(tx: Db, id: string, changes: Updateable<Schema['orders']>): Promise<void> {
	await tx.updateTable('orders').set(changes).where('id', '=', id).execute();
}

/** Deletes a locked order with its proofs and links. */
export async function deleteOrder(tx: Db, id: string): Promise<void> {
	// The trigger would lock the totals after the proofs, but a new order locks an earlier proof after the totals.
	await lockRows(tx, tx.selectFrom('orders_totals').select('orders')).execute();
	await tx.deleteFrom('orders').where('id', '=', id).execute();
}

export function findTestOrder(db: Db) {
	// A literal, because SQLite does not use the partial index for a parameter.
	return db.selectFrom('orders').selectAll().where('is_test', '=', sql.lit(1)).executeTakeFirst();
}

/** Deletes the test order with its proofs and links. @returns the ids of the blobs of its proofs */
export async function deleteTestOrder(tx: Db, orderId: string): Promise<string[]> {
	const proofs = await listProofs(tx, [orderId]);
	await tx.deleteFrom('orders').where('id', '=', orderId).where('is_test', '=', 1).execute();
	return proofs.flatMap((proof) => [proof.blob_id, proof.thumb_blob_id]);
}

export const insertProof = insertInto('proofs');

export function listProofs(db: Db, orderIds: string[]) {
	return db
		.selectFrom('proofs')
		.selectAll()
		.where('order_id', 'in', orderIds)
		.orderBy('created_at', 'desc')
		.orderBy('id', 'desc')
		.execute();
}

export function countOrdersOfUser(db: Db, userId: string): Promise<number> {
	return countRows(db.selectFrom('orders').where('user_id', '=', userId));
}

export function findProof(db: Db, id: string) {
	return db.selectFrom('proofs').selectAll().where('id', '=', id).executeTakeFirst();
}
