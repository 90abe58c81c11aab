import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { acquireNamedLock } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { utrLookupKey } from '../duplicate-proofs/duplicate-proofs.service.ts';
import * as queries from './payment-references.queries.ts';

export type ReferenceUse = Awaited<ReturnType<typeof queries.listReferenceUses>>[number];

/**
 * Stores the references of a completed order: those of its proofs, and those of the payment's statement row
 * (`statementReferences`, in plain text). The named lock makes concurrent completions wait, so that the later of two
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
	const keys = [...new Set([...statementKeys, ...(await queries.listUtrKeys(tx, order.id))])];
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

export async function findReferenceUses(deps: Deps, references: readonly string[]) {
	const keys = new Map(references.map((reference) => [utrLookupKey(deps, reference), reference]));
	const rows = keys.size === 0 ? [] : await queries.listReferenceUses(deps.db, [...keys.keys()]);
	return Map.groupBy(rows, ({ utrKey }) => keys.get(utrKey) ?? '');
}
