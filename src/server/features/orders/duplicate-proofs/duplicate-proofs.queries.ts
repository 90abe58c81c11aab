import type { ExpressionBuilder, Insertable, Updateable } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

/** Waits for whoever else marks a proof, until that one has committed. @returns the next number */
export async function takeNextProofNumber(tx: Db): Promise<number> {
	const { last_number } = await tx
		.updateTable('proof_turns')
		.set((eb) => ({ last_number: eb('last_number', '+', 1) }))
		.where('id', '=', 'proofs')
		.returning('last_number')
		.executeTakeFirstOrThrow();
	return last_number;
}

/** The oldest proof before this one with the same mark; it stays until the transaction ends. */
export async function findProofWithSameKey(
	tx: Db,
	column: 'utr_key' | 'picture_key',
	key: string,
	exceptId: string,
): Promise<string | null> {
	const found = await lockRows(
		tx,
		tx
			.selectFrom('proofs')
			.innerJoin('proof_looks', 'proof_looks.proof_id', 'proofs.id')
			.select('proofs.id')
			.where(column, '=', key)
			.where('proofs.id', '<>', exceptId)
			.orderBy('proof_looks.number')
			.limit(1),
		'share',
	).executeTakeFirst();
	return found?.id ?? null;
}

/** Whether a proof has the bytes that a key stands for. */
export async function hasPictureKey(db: Db, key: string): Promise<boolean> {
	const found = db.selectFrom('proofs').select('id').where('picture_key', '=', key).limit(1);
	return (await found.executeTakeFirst()) !== undefined;
}

/** Whether a proof is still there; if so, it stays until the transaction ends. */
export async function lockProof(tx: Db, id: string): Promise<boolean> {
	const found = lockRows(tx, tx.selectFrom('proofs').select('id').where('id', '=', id), 'share');
	return (await found.executeTakeFirst()) !== undefined;
}

export async function updateProofKeys(tx: Db, id: string, marks: Updateable<Schema['proofs']>): Promise<void> {
	await tx.updateTable('proofs').set(marks).where('id', '=', id).execute();
}

export async function insertFingerprint(tx: Db, row: Insertable<Schema['proof_looks']>): Promise<void> {
	await tx.insertInto('proof_looks').values(row).execute();
}

export function listEdgeGrids(db: Db, after: number, limit: number) {
	return db
		.selectFrom('proof_looks')
		.select(['number', 'outline'])
		.where('number', '>', after)
		.orderBy('number')
		.limit(limit)
		.execute();
}

/** Some looks, oldest first. */
export function listFingerprints(db: Db, numbers: number[]) {
	return db
		.selectFrom('proof_looks')
		.select(['proof_id', 'look'])
		.where('number', 'in', numbers)
		.orderBy('number')
		.execute();
}

/** The newest looks since a number, oldest first. */
export async function listFingerprintsSince(db: Db, after: number, limit: number) {
	const rows = await db
		.selectFrom('proof_looks')
		.select(['proof_id', 'look'])
		.where('number', '>', after)
		.orderBy('number', 'desc')
		.limit(limit)
		.execute();
	return rows.toReversed();
}

/** Of one reference: what buyers type instead of one completes thousands of orders. */
const usesMax = 20;

/**
 * Of some proofs with a reference: the first other order that has it too, and the orders that it has completed, `goneCode`
 * one that was deleted since. A look into an index for each, however many have it.
 */
export function listOrdersWithSameReference(db: Db, proofIds: string[]) {
	const used = (eb: ExpressionBuilder<Schema & { p: Schema['proofs'] }, 'p'>) =>
		eb
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
	return db
		.selectFrom('proofs as p')
		.select((eb) => [
			'p.id',
			eb
				.selectFrom('proofs as x')
				.innerJoin('orders as o', 'o.id', 'x.order_id')
				.select('o.code')
				.whereRef('x.utr_key', '=', 'p.utr_key')
				.whereRef('x.order_id', '<>', 'p.order_id')
				.orderBy('x.created_at')
				.orderBy('x.order_id')
				.limit(1)
				.as('otherCode'),
			used(eb).where('o.status', '=', 'Complete').select('o.code').as('usedCode'),
			used(eb).where('o.id', 'is', null).select('u.order_code').as('goneCode'),
		])
		.where('p.id', 'in', proofIds)
		.where('p.utr_key', 'is not', null)
		.execute();
}

/** Proofs with the order that each belongs to. */
export function listProofOrders(db: Db, proofIds: string[]) {
	return db
		.selectFrom('proofs')
		.innerJoin('orders', 'orders.id', 'proofs.order_id')
		.select(['proofs.id', 'proofs.order_id', 'orders.code'])
		.where('proofs.id', 'in', proofIds)
		.execute();
}
