import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';

/** Maximum uses read per reference, because thousands of orders may have the same placeholder as their reference. */
const usesMax = 20;

type ProofExpressions = ExpressionBuilder<Schema & { p: Schema['proofs'] }, 'p'>;

/** A proof with one of the keys of its reference. */
interface ProofKey {
	id: string;
	order_id: string;
	utr_key: string;
}

function selectOrderWithSameKey(eb: ProofExpressions, column: 'utr_key' | 'picture_key') {
	return eb
		.selectFrom('proofs as x')
		.innerJoin('orders as o', 'o.id', 'x.order_id')
		.select('o.code')
		.whereRef(`x.${column}`, '=', `p.${column}`)
		.whereRef('x.order_id', '<>', 'p.order_id')
		.orderBy('x.created_at')
		.orderBy('x.order_id')
		.limit(1);
}

/** Selects the orders with the payment reference `p.utr_key`, other than `p.order_id`. */
function selectOrdersWithReference(eb: ProofExpressions) {
	const uses = eb
		.selectFrom((of) =>
			of
				.selectFrom('used_references')
				.select(['order_id', 'order_code'])
				.whereRef('utr_key', '=', 'p.utr_key')
				.whereRef('order_id', '<>', 'p.order_id')
				.orderBy('order_id')
				.limit(usesMax)
				.as('u'),
		)
		.leftJoin('orders as o', 'o.id', 'u.order_id')
		.orderBy('u.order_id')
		.limit(1);
	return [
		selectOrderWithSameKey(eb, 'utr_key').as('sameUtr'),
		uses.where('o.status', '=', 'Complete').select('o.code').as('used'),
		uses.where('o.id', 'is', null).select('u.order_code').as('usedByDeleted'),
	] as const;
}

/**
 * Returns for each proof the codes of other orders with the same payment. `sameUtr`, `samePicture`: the order of the
 * earliest proof in another order; `used`: an order that was completed with the reference; `usedByDeleted`: a deleted
 * order that was completed with the reference. A code is null without such an order. Each code is read by an index.
 */
export function listOrdersWithSamePayment(db: Db, proofIds: string[]) {
	return db
		.selectFrom('proofs as p')
		.innerJoin('orders as own', 'own.id', 'p.order_id')
		.select((eb) => [
			'p.id',
			'own.code as ownCode',
			selectOrderWithSameKey(eb, 'picture_key').as('samePicture'),
			...selectOrdersWithReference(eb),
		])
		.where('p.id', 'in', proofIds)
		.execute();
}

/** Like {@link listOrdersWithSamePayment}, for other keys of the references than `proofs.utr_key`; a proof may recur. */
export function listOrdersWithReferences(db: Db, keys: ProofKey[]) {
	const rows = keys.map(({ id, order_id, utr_key }) => sql`(${id}, ${order_id}, ${utr_key})`);
	return db
		.with('p(id, order_id, utr_key)', () => sql<ProofKey>`(values ${sql.join(rows)})`)
		.selectFrom('p')
		.select((eb) => ['p.id', ...selectOrdersWithReference(eb)])
		.execute();
}
