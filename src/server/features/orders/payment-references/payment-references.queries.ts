import type { Insertable } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

/** Lists the sealed references of orders' proofs. The proofs of the test order, which have no key, are not included. */
export function listSealedUtrs(db: Db, orderIds: string[]) {
	return db
		.selectFrom('proofs')
		.select(['order_id as orderId', 'utr_sealed'])
		.where('order_id', 'in', orderIds)
		.where('utr_key', 'is not', null)
		.execute();
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

/**
 * Lists the orders that were completed with these references, earliest first, also deleted orders, whose `name` is null.
 */
export function listReferenceUses(db: Db, utrKeys: string[]) {
	return selectReferenceUses(db, utrKeys).execute();
}

/** Finds the earliest order, except this one, that was completed with one of these references. */
export function findOtherReferenceUse(db: Db, utrKeys: string[], orderId: string) {
	return selectReferenceUses(db, utrKeys).where('u.order_id', '<>', orderId).limit(1).executeTakeFirst();
}

function selectReferenceUses(db: Db, utrKeys: string[]) {
	return db
		.selectFrom('used_references as u')
		.leftJoin('orders as o', 'o.id', 'u.order_id')
		.select((eb) => [
			'u.utr_key as utrKey',
			'u.order_id as orderId',
			eb.fn.coalesce('o.code', 'u.order_code').as('code'),
			'o.name',
		])
		.where('u.utr_key', 'in', utrKeys)
		.where((eb) => eb.or([eb('o.id', 'is', null), eb('o.status', '=', 'Complete')]))
		.orderBy('u.used_at')
		.orderBy('u.order_id');
}

export function listOrdersByUtr(db: Db, utrKeys: string[]) {
	return db
		.selectFrom('proofs')
		.select(['utr_key as utrKey', 'order_id as orderId'])
		.distinct()
		.where('utr_key', 'in', utrKeys)
		.execute();
}
