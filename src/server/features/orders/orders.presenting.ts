import type { Order, Repeat } from '#contract/orders/orders.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { findEmailsOf } from '../account/account.service.ts';
import { getBook } from '../settings/settings.service.ts';
import { findOddFields } from './odd-fields.ts';
import { upiContext } from './order-fields.ts';
import * as queries from './orders.queries.ts';
import { findRepeated, type Repeated, readUtr } from './proof-marks.service.ts';

/** Orders as the desk shows them. `known`: their proofs, newest first, where the caller has them already. */
export async function presentOrders(
	deps: Deps,
	rows: queries.OrderRow[],
	known?: queries.ProofRow[] | undefined,
): Promise<Order[]> {
	if (rows.length === 0) return [];
	const { discountedPaise } = await getBook(deps, deps.db);
	const allProofs = known ?? (await listProofsOf(deps, rows));
	const repeated = await findRepeated(deps.db, allProofs);
	const emails = await findEmailsOf(deps.db, [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]);
	const proofs = Map.groupBy(allProofs, (proof) => proof.order_id);
	return rows.map((row) => {
		const upiId = deps.secrets.unseal(upiContext, row.upi_id_sealed);
		const own = proofs.get(row.id) ?? [];
		return {
			id: row.id,
			code: row.code,
			name: row.name,
			email: row.email,
			accountEmail: emails.get(row.user_id ?? '') ?? null,
			phone: row.phone,
			upiId,
			screenshot: own[0] === undefined ? null : proofUrl(own[0].id),
			proofCount: own.length,
			status: row.status ?? 'Pending',
			price: row.price_paise === null ? null : row.price_paise / 100,
			totalPrice: (row.price_paise ?? discountedPaise) / 100,
			createdAt: row.created_at,
			orderDate: dayOf(row.created_at, deps.config.TIME_ZONE),
			version: row.version,
			oddFields: findOddFields({ name: row.name, phone: row.phone, upiId, utr: newestUtr(deps, own) }),
			repeats: repeatsOfOrder(own.flatMap((proof) => repeatsOf(proof, repeated))),
			note: row.note,
			isProofWanted: row.proof_wanted_at !== null,
		};
	});
}

/** The proofs of some orders, newest first. */
export function listProofsOf(deps: Deps, rows: queries.OrderRow[]): Promise<queries.ProofRow[]> {
	return queries.listProofs(
		deps.db,
		rows.map(({ id }) => id),
	);
}

/** What the person said last. */
export function newestUtr(deps: Deps, newestFirst: queries.ProofRow[]): string | null {
	const proof = newestFirst.find(({ utr_sealed }) => utr_sealed !== null);
	return proof === undefined ? null : readUtr(deps, proof);
}

/** The orders whose reference or picture a proof has too. */
export function repeatsOf(proof: queries.ProofRow, { earlier, references }: Repeated): Repeat[] {
	const marks = [
		['utr', proof.same_utr_as],
		['picture', proof.same_picture_as],
	] as const;
	const marked = marks.flatMap(([kind, id]): Repeat[] => {
		const order = id === null ? undefined : earlier.get(id);
		return order === undefined ? [] : [{ kind, code: order.code, isOwnOrder: order.orderId === proof.order_id }];
	});
	const { others, gone } = references.get(proof.id) ?? { others: [], gone: null };
	const same = others.map((code): Repeat => ({ kind: 'utr', code, isOwnOrder: false }));
	const used: Repeat[] = gone === null ? [] : [{ kind: 'used', code: gone, isOwnOrder: false }];
	return uniqueRepeats([...marked, ...same, ...used]);
}

/** The order itself is marked for what others have: whoever sends a proof again for their own has done no wrong. */
function repeatsOfOrder(repeats: Repeat[]): Repeat[] {
	return uniqueRepeats(repeats.filter(({ isOwnOrder }) => !isOwnOrder));
}

function uniqueRepeats(repeats: Repeat[]): Repeat[] {
	return [...new Map(repeats.map((repeat) => [`${repeat.kind} ${repeat.code}`, repeat])).values()];
}

/** Address of a proof's picture. */
export function proofUrl(id: string): string {
	return `/api/proofs/${id}/image`;
}
