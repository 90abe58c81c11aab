import { isoAt } from '../../../platform/clock.ts';
import { inBatches } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { acquireNamedLock } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { unsealUtr, utrLookupKey, utrLookupKeys } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { listComparableUtrs } from '../order-warnings.ts';
import * as queries from './payment-references.queries.ts';

export type ReferenceUse = Awaited<ReturnType<typeof queries.listReferenceUses>>[number];

/**
 * Stores the references of a completed order: those of its proofs, in all their forms, and those of the payment's
 * statement row (`statementReferences`, in plain text). The named lock makes concurrent completions wait, so that the later of two
 * orders with the same reference sees the earlier one. Call this after the transaction has locked its other rows.
 * @returns the earliest other order that one of the references has already completed
 */
export async function claimReferences(
	deps: Deps,
	tx: Db,
	order: { id: string; code: string },
	statementReferences: readonly string[],
): Promise<ReferenceUse | undefined> {
	const statementKeys = statementReferences.map((reference) => utrLookupKey(deps, reference));
	const proofKeys = (await listUtrs(deps, tx, [order.id])).flatMap(({ utr }) => utrLookupKeys(deps, utr));
	const keys = [...new Set([...statementKeys, ...proofKeys])];
	if (keys.length === 0) return undefined;
	await acquireNamedLock(tx, 'used-references');
	const use = await queries.findOtherReferenceUse(tx, keys, order.id);
	const used_at = isoAt(deps.clock);
	await queries.insertReferenceUses(
		tx,
		keys.map((utr_key) => ({ utr_key, order_id: order.id, order_code: order.code, used_at })),
	);
	return use;
}

/**
 * Finds the orders that were completed with the references, by reference. `isMain`: whether the reference is the one by
 * which the order is found. It is false for another number in the text of a proof, such as the buyer's account number,
 * which other payments of the buyer have too.
 */
export async function findReferenceUses(deps: Deps, references: readonly string[]) {
	const keys = new Map(references.map((reference) => [utrLookupKey(deps, reference), reference]));
	const rows = keys.size === 0 ? [] : await queries.listReferenceUses(deps.db, [...keys.keys()]);
	const formsByOrder = await listFormsByOrder(deps, [...new Set(rows.map(({ orderId }) => orderId))]);
	const uses = rows.map((use) => {
		const reference = keys.get(use.utrKey) ?? '';
		const positions = (formsByOrder.get(use.orderId) ?? []).map((forms) => forms.indexOf(reference));
		// A reference in no proof is that of a statement row.
		const isMain = positions.includes(0) || positions.every((position) => position < 0);
		return { ...use, reference, isMain };
	});
	return Map.groupBy(uses, ({ reference }) => reference);
}

/** Lists the forms of the reference of each proof, by order; see {@link listComparableUtrs}. */
async function listFormsByOrder(deps: Deps, orderIds: string[]): Promise<Map<string, string[][]>> {
	const formsByOrder = new Map<string, string[][]>();
	for (const batch of inBatches(orderIds)) {
		for (const { orderId, utr } of await listUtrs(deps, deps.db, batch))
			formsByOrder.set(orderId, [...(formsByOrder.get(orderId) ?? []), listComparableUtrs(utr)]);
		await yieldToEventLoop();
	}
	return formsByOrder;
}

async function listUtrs(deps: Deps, db: Db, orderIds: string[]): Promise<Array<{ orderId: string; utr: string }>> {
	const rows = await queries.listSealedUtrs(db, orderIds);
	return rows.map((row) => ({ orderId: row.orderId, utr: unsealUtr(deps, row) ?? '' }));
}
