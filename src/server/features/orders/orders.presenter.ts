import { offeredEditions } from '#contract/book/editions.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { listEmailsByUserId } from '../accounts/index.ts';
import { type Book, getBook } from '../book/index.ts';
import type { MailOrder } from '../mail/index.ts';
import { findDuplicates, uniqueDuplicates, unsealUtr } from './duplicate-proofs/duplicate-proofs.service.ts';
import { findOrderWarnings } from './order-warnings.ts';
import * as queries from './orders.queries.ts';

/** Encryption context of the UPI IDs in orders and proofs. */
export const upiContext = 'orders.upi_id';

export async function presentOrders(deps: Deps, rows: queries.OrderRow[]): Promise<Order[]> {
	return (await presentWithProofs(deps, rows)).map(({ order }) => order);
}

/** Like {@link presentOrders}, but returns the proofs of each order too, the newest proof first. */
export async function presentWithProofs(deps: Deps, rows: queries.OrderRow[]) {
	if (rows.length === 0) return [];
	const { discountedPaise } = await getBook(deps, deps.db);
	const ids = rows.map(({ id }) => id);
	const allProofs = await queries.listProofs(deps.db, ids);
	const duplicates = await findDuplicates(deps, allProofs);
	const emails = await listEmailsByUserId(deps.db, [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]);
	const proofs = Map.groupBy(allProofs, (proof) => proof.order_id);
	return rows.map((row) => {
		const upiId = deps.secrets.unseal(upiContext, row.upi_id_sealed);
		const proofsOfOrder = proofs.get(row.id) ?? [];
		const duplicatesOfProofs = proofsOfOrder.flatMap(({ id }) => duplicates.get(id) ?? []);
		const order: Order = {
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
			// Repeated proofs of the same order are allowed.
			repeats: uniqueDuplicates(duplicatesOfProofs.filter(({ isOwnOrder }) => !isOwnOrder)),
			note: row.note,
			isProofWanted: row.proof_wanted_at !== null,
			isTest: row.is_test === 1,
		};
		return { order, proofs: proofsOfOrder };
	});
}

/** Returns the reference of the newest proof with a reference; null if no proof has one. */
export function newestUtr(deps: Deps, newestFirst: queries.ProofRow[]): string | null {
	const proof = newestFirst.find(({ utr_sealed }) => utr_sealed !== null);
	return proof === undefined ? null : unsealUtr(deps, proof);
}

export function proofUrl(id: string): string {
	return `/api/proofs/${id}/image`;
}

export async function summarizeOrder(deps: Deps, tx: Db, order: queries.OrderRow): Promise<Required<MailOrder>> {
	return summaryOf(order, await getBook(deps, tx));
}

export function summaryOf(
	{ code, price_paise, created_at: receivedAt }: Pick<queries.OrderRow, 'code' | 'price_paise' | 'created_at'>,
	book: Book,
): Required<MailOrder> {
	const offered = offeredEditions(book);
	return { code, title: book.title, offered, pricePaise: price_paise ?? book.discountedPaise, receivedAt };
}

/** Normalises the texts that a search compares. */
export function searchKeyOf(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
