import type { Insertable } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export async function listUtrKeys(db: Db, orderId: string): Promise<string[]> {
	const rows = await db
		.selectFrom('proofs')
		.select('utr_key as utrKey')
		.distinct()
		.where('order_id', '=', orderId)
		.execute();
	return rows.flatMap(({ utrKey }) => utrKey ?? []);
}

export async function insertReferenceUses(tx: Db, rows: Array<Insertable<Schema['used_references']>>): Promise<void> {
	await tx
		.insertInto('used_references')
		.values(rows)
		.onConflict((oc) => oc.columns(['utr_key', 'order_id']).doNothing())
		.execute();
}

/** Deletes the stored references of an order that is set back to Pending. */
export async function deleteReferenceUses(tx: Db, orderId: string): Promise<void> {
	await tx.deleteFrom('used_references').where('order_id', '=', orderId).execute();
}

/** Lists the orders that were completed with these references, earliest first, also deleted orders (`isGone`). */
export async function listReferenceUses(db: Db, utrKeys: string[]) {
	const rows = await db
		.selectFrom('used_references as u')
		.leftJoin('orders as o', 'o.id', 'u.order_id')
		.select(['u.utr_key as utrKey', 'u.order_id as orderId', 'u.order_code as goneCode', 'o.code', 'o.status'])
		.where('u.utr_key', 'in', utrKeys)
		.orderBy('u.used_at')
		.orderBy('u.order_id')
		.execute();
	return rows
		.filter(({ code, status }) => code === null || status === 'Complete')
		.map(({ utrKey, orderId, goneCode, code }) => ({ utrKey, orderId, code: code ?? goneCode, isGone: code === null }));
}

export function listOrdersByUtr(db: Db, utrKeys: string[]) {
	return db
		.selectFrom('proofs')
		.select(['utr_key as utrKey', 'order_id as orderId'])
		.distinct()
		.where('utr_key', 'in', utrKeys)
		.execute();
}

export function findOrders(db: Db, ids: string[]) {
	return db.selectFrom('orders').selectAll().where('id', 'in', ids).execute();
}
