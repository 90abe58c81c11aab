import type { ExpressionBuilder, Updateable } from 'kysely';
import { insertInto } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

/** Returns the next proof number. Its row stays locked, so that concurrent callers wait until the transaction ends. */
export async function takeNextProofNumber(tx: Db): Promise<number> {
	const { last_number } = await tx
		.updateTable('proof_sequence')
		.set((eb) => ({ last_number: eb('last_number', '+', 1) }))
		.where('id', '=', 'proofs')
		.returning('last_number')
		.executeTakeFirstOrThrow();
	return last_number;
}

/**
 * Returns the id of the oldest proof with this key, except the proof `exceptId`. Locks the found proof against deletion
 * until the transaction ends.
 */
export async function findProofWithSameKey(tx: Db, column: 'utr_key' | 'picture_key', key: string, exceptId: string) {
	const proof = await lockRows(
		tx,
		tx
			.selectFrom('proofs')
			.innerJoin('proof_fingerprints', 'proof_fingerprints.proof_id', 'proofs.id')
			.select('proofs.id')
			.where(column, '=', key)
			.where('proofs.id', '<>', exceptId)
			.orderBy('proof_fingerprints.number')
			.limit(1),
		'share',
	).executeTakeFirst();
	return proof?.id ?? null;
}

/** Returns whether any proof has a picture with this key (the hash of its bytes). */
export async function hasPictureKey(db: Db, key: string): Promise<boolean> {
	const proof = db.selectFrom('proofs').select('id').where('picture_key', '=', key).limit(1);
	return (await proof.executeTakeFirst()) !== undefined;
}

/** Locks a proof against deletion until the transaction ends. @returns false if it does not exist */
export async function lockProof(tx: Db, id: string): Promise<boolean> {
	const proof = lockRows(tx, tx.selectFrom('proofs').select('id').where('id', '=', id), 'share');
	return (await proof.executeTakeFirst()) !== undefined;
}

export async function updateProofKeys(tx: Db, id: string, keys: Updateable<Schema['proofs']>): Promise<void> {
	await tx.updateTable('proofs').set(keys).where('id', '=', id).execute();
}

export const insertFingerprint = insertInto('proof_fingerprints');

export function listEdgeGrids(db: Db, after: number, limit: number) {
	return db
		.selectFrom('proof_fingerprints')
		.select(['number', 'coarse_fingerprint as edgeGrid'])
		.where('number', '>', after)
		.orderBy('number')
		.limit(limit)
		.execute();
}

export function listFingerprints(db: Db, numbers: number[]) {
	return db
		.selectFrom('proof_fingerprints')
		.select(['proof_id as proofId', 'fine_fingerprint as fingerprint'])
		.where('number', 'in', numbers)
		.orderBy('number')
		.execute();
}

export async function listFingerprintsSince(db: Db, after: number, limit: number) {
	const rows = await db
		.selectFrom('proof_fingerprints')
		.select(['proof_id as proofId', 'fine_fingerprint as fingerprint'])
		.where('number', '>', after)
		.orderBy('number', 'desc')
		.limit(limit)
		.execute();
	return rows.toReversed();
}

/** Maximum uses read per reference, because thousands of orders may have the same placeholder as their reference. */
const usesMax = 20;

/**
 * Returns for each proof with a reference the codes of other orders with the same reference. `otherCode`: the order of
 * the earliest proof in another order; `usedCode`: an order that was completed with the reference; `goneCode`: a
 * deleted order that was completed with the reference. A code is null without such an order. Each code is read by an
 * index.
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

export function listProofOrders(db: Db, proofIds: string[]) {
	return db
		.selectFrom('proofs')
		.innerJoin('orders', 'orders.id', 'proofs.order_id')
		.select(['proofs.id', 'proofs.order_id', 'orders.code'])
		.where('proofs.id', 'in', proofIds)
		.execute();
}
