import type { DuplicateProof } from '#contract/orders/orders.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { listEmailsByUserId } from '../accounts/index.ts';
import { getBook } from '../book/index.ts';
import { type Duplicates, findDuplicates, unsealUtr } from './duplicate-proofs/duplicate-proofs.service.ts';
import { upiContext } from './order-fields.ts';
import { findOrderWarnings } from './order-warnings.ts';
import * as queries from './orders.queries.ts';

/** Presents orders as the orders page shows them. `known`: their proofs, newest first, if already loaded. */
export async function presentOrders(deps: Deps, rows: queries.OrderRow[], known?: queries.ProofRow[] | undefined) {
	if (rows.length === 0) return [];
	const { discountedPaise } = await getBook(deps, deps.db);
	const allProofs = known ?? (await listProofsOf(deps, rows));
	const duplicates = await findDuplicates(deps.db, allProofs);
	const emails = await listEmailsByUserId(deps.db, [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]);
	const proofs = Map.groupBy(allProofs, (proof) => proof.order_id);
	return rows.map((row) => {
		const upiId = deps.secrets.unseal(upiContext, row.upi_id_sealed);
		const proofsOfOrder = proofs.get(row.id) ?? [];
		return {
			id: row.id,
			code: row.code,
			name: row.name,
			email: row.email,
			accountEmail: emails.get(row.user_id ?? '') ?? null,
			phone: row.phone,
			upiId,
			screenshot: proofsOfOrder[0] === undefined ? null : proofUrl(proofsOfOrder[0].id),
			proofCount: proofsOfOrder.length,
			status: row.status ?? 'Pending',
			price: row.price_paise === null ? null : row.price_paise / 100,
			totalPrice: (row.price_paise ?? discountedPaise) / 100,
			createdAt: row.created_at,
			orderDate: dayOf(row.created_at, deps.config.TIME_ZONE),
			version: row.version,
			oddFields: findOrderWarnings({ name: row.name, phone: row.phone, upiId, utr: newestUtr(deps, proofsOfOrder) }),
			repeats: duplicatesOfOrder(proofsOfOrder.flatMap((proof) => duplicatesOf(proof, duplicates))),
			note: row.note,
			isProofWanted: row.proof_wanted_at !== null,
		};
	});
}

export function listProofsOf(deps: Deps, rows: queries.OrderRow[]): Promise<queries.ProofRow[]> {
	return queries.listProofs(
		deps.db,
		rows.map(({ id }) => id),
	);
}

/** Returns the reference of the newest proof with a reference; null if no proof has one. */
export function newestUtr(deps: Deps, newestFirst: queries.ProofRow[]): string | null {
	const proof = newestFirst.find(({ utr_sealed }) => utr_sealed !== null);
	return proof === undefined ? null : unsealUtr(deps, proof);
}

export function duplicatesOf(proof: queries.ProofRow, { earlier, references }: Duplicates): DuplicateProof[] {
	const matches = [
		['utr', proof.same_utr_as],
		['picture', proof.same_picture_as],
	] as const;
	const matching = matches.flatMap(([kind, id]): DuplicateProof[] => {
		const order = id === null ? undefined : earlier.get(id);
		return order === undefined ? [] : [{ kind, code: order.code, isOwnOrder: order.orderId === proof.order_id }];
	});
	const { others, gone } = references.get(proof.id) ?? { others: [], gone: null };
	const same = others.map((code): DuplicateProof => ({ kind: 'utr', code, isOwnOrder: false }));
	const used: DuplicateProof[] = gone === null ? [] : [{ kind: 'used', code: gone, isOwnOrder: false }];
	return uniqueDuplicates([...matching, ...same, ...used]);
}

/** Only proofs of other orders count as duplicates: a buyer may send a proof again for their own order. */
function duplicatesOfOrder(repeats: DuplicateProof[]): DuplicateProof[] {
	return uniqueDuplicates(repeats.filter(({ isOwnOrder }) => !isOwnOrder));
}

function uniqueDuplicates(repeats: DuplicateProof[]): DuplicateProof[] {
	return [...new Map(repeats.map((repeat) => [`${repeat.kind} ${repeat.code}`, repeat])).values()];
}

export function proofUrl(id: string): string {
	return `/api/proofs/${id}/image`;
}
