import type { InputOf } from '#contract/core/endpoint.ts';
import { emailPattern } from '#contract/core/text.ts';
import type { orders, Proof } from '#contract/orders/orders.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findBlob } from '../../../platform/storage/blobs.queries.ts';
import { findUserById } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueCopies } from '../../book/index.ts';
import { enqueueMail, sanitizeMailName } from '../../mail/index.ts';
import { findDuplicates, unsealUtr } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { createOrderLink } from '../order-page/order-links.ts';
import { isUnusualUtr } from '../order-warnings.ts';
import { proofUrl, searchKeyOf, summarizeOrder, upiContext } from '../orders.presenter.ts';
import * as queries from '../orders.queries.ts';
import { getOrder, publishOrders } from '../orders.service.ts';
import { deleteReferenceUses } from '../payment-references/payment-references.queries.ts';
import { removeTestPurchase } from '../test-purchase/test-purchase.service.ts';
import { completeOrder, recordOrderUpdate } from './order-completion.ts';

/**
 * Saves an edited order. The status Complete lets the buyer read the book; the status Pending does not. Open pages
 * refetch the order.
 * @throws AppError ORDER_GONE, ORDER_STALE, PAYMENT_USED, INVALID_INPUT for a changed email that is invalid
 */
export async function updateOrder(deps: Deps, caller: Caller, input: InputOf<typeof orders.update>) {
	await changeOrder(deps, input.id, async (tx, order) => {
		if (order.version !== input.version) throw new AppError('ORDER_STALE');
		// An unchanged address is accepted even if it is invalid, but a changed address must be valid.
		if (input.email !== order.email && !emailPattern.test(input.email))
			throw new AppError('INVALID_INPUT', { fields: { email: 'error_email_format' } });
		await queries.updateOrder(tx, order.id, {
			name: input.name,
			email: input.email,
			phone: input.phone,
			upi_id_sealed: deps.secrets.seal(upiContext, input.upiId),
			search_key: searchKeyOf(`${input.name}\n${input.email}`),
			status: input.status,
			updated_at: isoAt(deps.clock),
			version: order.version + 1,
		});
		const isCompleted = input.status === 'Complete' && order.status !== 'Complete';
		const payment = isCompleted
			? await completeOrder(deps, tx, { ...order, name: input.name }, { usedBy: input.usedBy })
			: {};
		if (input.status === 'Pending' && order.status === 'Complete') await deleteReferenceUses(tx, order.id);
		// The watermark may change, because it has the name and code of the user's first Complete order.
		if (order.user_id !== null && order.status === 'Complete') await enqueueCopies(deps, tx, order.user_id);
		await recordOrderUpdate(deps, tx, caller, order, input.status, payment);
	});
	return getOrder(deps, input.id);
}

/** Changes a locked order, and makes open pages refetch it. @throws AppError ORDER_GONE */
async function changeOrder(deps: Deps, id: string, change: (tx: Db, order: queries.OrderRow) => Promise<void>) {
	const userId = await inTransaction(deps.db, async (tx) => {
		const order = required(await queries.findOrderForUpdate(tx, id), 'ORDER_GONE');
		await change(tx, order);
		return order.user_id;
	});
	deps.wakeWorkers();
	publishOrders(deps, userId);
}

/**
 * Stores the owner's note for the buyer. With `isProofWanted`, also stores and mails a request for a new proof. The
 * order's version does not change, because saving an edited order does not overwrite the note.
 * @throws AppError ORDER_GONE, ORDER_STALE when the note has changed meanwhile, ORDER_COMPLETE
 */
export async function writeNote(deps: Deps, caller: Caller, input: InputOf<typeof orders.writeNote>) {
	await changeOrder(deps, input.id, async (tx, order) => {
		if (order.note !== input.was) throw new AppError('ORDER_STALE');
		if (input.isProofWanted && order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
		const now = isoAt(deps.clock);
		const note = input.note === '' ? null : input.note;
		await queries.updateOrder(tx, order.id, {
			note,
			note_at: note === null ? null : now,
			...(input.isProofWanted ? { proof_wanted_at: now } : note === null && { proof_wanted_at: null }),
		});
		if (input.isProofWanted) await mailProofRequest(deps, tx, { ...order, note });
		const action = input.isProofWanted ? 'proof-wanted' : 'order-note-written';
		await recordAudit(deps, tx, caller, action, ['order', order.id], { code: order.code, note });
	});
	return getOrder(deps, input.id);
}

async function mailProofRequest(deps: Deps, tx: Db, order: queries.OrderRow): Promise<void> {
	const buyer = order.user_id === null ? undefined : await findUserById(tx, order.user_id);
	if (buyer === undefined) return;
	await enqueueMail(deps, tx, {
		kind: 'proof-wanted',
		to: buyer.email,
		locale: order.locale ?? 'en',
		name: sanitizeMailName(order.name),
		note: order.note ?? '',
		order: await summarizeOrder(deps, tx, order),
		statusToken: (await createOrderLink(deps, tx, { order_id: order.id })).token,
	});
}

/** Deletes an order and its proofs. The test order is deleted with its account. @throws AppError ORDER_GONE */
export async function deleteOrder(deps: Deps, caller: Caller, id: string): Promise<void> {
	if ((await queries.findTestOrder(deps.db))?.id === id) return removeTestPurchase(deps, caller);
	await changeOrder(deps, id, async (tx, order) => {
		await queries.deleteOrder(tx, id);
		if (order.user_id !== null && order.status === 'Complete') await enqueueCopies(deps, tx, order.user_id);
		await recordAudit(deps, tx, caller, 'order-deleted', ['order', id], { code: order.code });
	});
}

/** Lists an order's proofs, newest first, with details that differ from the order's. @throws AppError ORDER_GONE */
export async function listProofs(deps: Deps, orderId: string): Promise<Proof[]> {
	const order = required(await queries.findOrder(deps.db, orderId), 'ORDER_GONE');
	const upiId = deps.secrets.unseal(upiContext, order.upi_id_sealed);
	const proofs = await queries.listProofs(deps.db, [orderId]);
	const duplicates = await findDuplicates(deps, proofs);
	return proofs.map((proof) => {
		const utr = unsealUtr(deps, proof);
		const proofUpiId = deps.secrets.unseal(upiContext, proof.upi_id_sealed);
		return {
			id: proof.id,
			url: proofUrl(proof.id),
			createdAt: proof.created_at,
			utr,
			isUtrOdd: utr !== null && isUnusualUtr(utr),
			repeats: duplicates.get(proof.id) ?? [],
			proposals: {
				name: proof.name === order.name ? null : proof.name,
				phone: proof.phone === order.phone ? null : proof.phone,
				upiId: proofUpiId === upiId ? null : proofUpiId,
			},
		};
	});
}

export async function getProofBlob(deps: Deps, proofId: string, isThumb: boolean) {
	const proof = await queries.findProof(deps.db, proofId);
	return required(proof && (await findBlob(deps.db, isThumb ? proof.thumb_blob_id : proof.blob_id)), 'NOT_FOUND');
}
