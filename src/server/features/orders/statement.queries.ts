import type { Db } from '../../db/schema.ts';

/** The orders whose proofs have one of some references, by the references' keys. */
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
