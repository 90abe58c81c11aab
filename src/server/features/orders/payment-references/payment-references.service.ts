import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { takeNextProofNumber } from '../duplicate-proofs/duplicate-proofs.queries.ts';
import { utrLookupKey } from '../duplicate-proofs/duplicate-proofs.service.ts';
import * as queries from './payment-references.queries.ts';

/** An order that a reference has completed. */
export interface ReferenceUse {
	orderId: string;
	/** As it is, or was when the order was deleted. */
	code: string;
	isGone: boolean;
}

/**
 * Remembers what an order was completed with: the references of its proofs, and those of the statement's line that
 * showed its payment, plain. Locks last, as marking a proof does: of two orders with one reference, the second sees the first.
 * @returns another order that one of the line's references has completed already
 */
export async function claimReferences(
	deps: Deps,
	tx: Db,
	order: { id: string; code: string },
	ofLine: readonly string[],
): Promise<ReferenceUse | undefined> {
	const lineKeys = ofLine.map((reference) => utrLookupKey(deps, reference));
	const keys = [...new Set([...lineKeys, ...(await queries.listUtrKeys(tx, order.id))])];
	if (keys.length === 0) return undefined;
	await takeNextProofNumber(tx);
	const uses = lineKeys.length === 0 ? [] : await queries.listReferenceUses(tx, lineKeys);
	const used_at = isoAt(deps.clock);
	await queries.insertReferenceUses(
		tx,
		keys.map((utr_key) => ({ utr_key, order_id: order.id, order_code: order.code, used_at })),
	);
	return uses.find(({ orderId }) => orderId !== order.id);
}

/** An order that is Pending again was completed with nothing. */
export function releaseReferences(tx: Db, orderId: string): Promise<void> {
	return queries.deleteReferenceUses(tx, orderId);
}

/** By reference: the orders that it has completed. */
export async function findReferenceUses(
	deps: Deps,
	references: readonly string[],
): Promise<Map<string, ReferenceUse[]>> {
	const keys = new Map(references.map((reference) => [utrLookupKey(deps, reference), reference]));
	const rows = keys.size === 0 ? [] : await queries.listReferenceUses(deps.db, [...keys.keys()]);
	return Map.groupBy(rows, ({ utrKey }) => keys.get(utrKey) ?? '');
}
