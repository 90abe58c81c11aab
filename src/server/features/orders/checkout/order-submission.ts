import type { Locale } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId, newOrderCode } from '../../../platform/ids.ts';
import { insertBlob, type NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { recordAudit } from '../../audit/index.ts';
import { getBook } from '../../book/index.ts';
import { proofKeysOf } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { createOrderLink } from '../order-page/order-links.ts';
import { listProofsOfLink } from '../order-page/order-page.queries.ts';
import { searchKeyOf, summaryOf, upiContext } from '../orders.presenter.ts';
import * as queries from '../orders.queries.ts';

/** A screenshot whose bytes are stored, but to which no row refers yet. */
interface StoredScreenshot {
	full: NewBlob;
	thumb: NewBlob;
	/** From {@link pictureKeyOf}, before the picture was reduced to the sender's allowance. */
	pictureKey: string;
}

interface Submission extends StoredScreenshot {
	userId: string;
	name: string;
	email: string;
	phone: string;
	upiId: string;
	madeAccount?: boolean;
	isTest?: boolean;
	utr: string;
}

/** Records a purchase as a new order or as a further proof of the user's Pending order. The user must be locked. */
export async function recordSubmission(deps: Deps, tx: Db, caller: Caller, submission: Submission) {
	const book = await getBook(deps, tx);
	const pending = await queries.findPendingOrder(tx, submission.userId);
	const order = pending ?? (await insertNewOrder(deps, tx, { ...submission, locale: caller.locale }, book));
	const link = await createOrderLink(deps, tx, {
		order_id: order.id,
		email: submission.email,
		made_account: submission.madeAccount ? 1 : 0,
		price_paise: book.discountedPaise,
	});
	await insertProof(deps, tx, caller, order, pending, { ...submission, linkId: link.id });
	return { orderId: order.id, isNew: pending === undefined, summary: summaryOf(order, book), link };
}

interface NewOrder extends Pick<Submission, 'userId' | 'name' | 'email' | 'phone' | 'upiId' | 'isTest'> {
	locale: Locale;
	/** Price and time of an order that is split from another order; default: the current ones. */
	since?: { pricePaise: number | null; createdAt: string };
}

/** Inserts a Pending order without a proof; the caller adds the proof. */
export async function insertNewOrder(
	deps: Deps,
	tx: Db,
	order: NewOrder,
	book: { title: string; discountedPaise: number },
) {
	const now = isoAt(deps.clock);
	const row = {
		id: newId(),
		code: await createUniqueOrderCode(tx, book.title),
		user_id: order.userId,
		name: order.name,
		email: order.email,
		phone: order.phone,
		upi_id_sealed: deps.secrets.seal(upiContext, order.upiId),
		search_key: searchKeyOf(`${order.name}\n${order.email}`),
		price_paise: order.since === undefined ? book.discountedPaise : order.since.pricePaise,
		status: 'Pending',
		created_at: order.since?.createdAt ?? now,
		updated_at: now,
		locale: order.locale,
		is_test: order.isTest ? 1 : 0,
	} as const;
	await queries.insertOrder(tx, row);
	return row;
}

/** Adds a proof to an order. `existing`: the order's row, unless the order is new. */
async function insertProof(
	deps: Deps,
	tx: Db,
	caller: Caller,
	order: Pick<queries.OrderRow, 'id' | 'code' | 'is_test'>,
	existing: queries.OrderRow | undefined,
	proof: Omit<Submission, 'userId' | 'email' | 'madeAccount' | 'isTest'> & { linkId: string | null },
): Promise<void> {
	const isTest = order.is_test === 1;
	for (const blob of [proof.full, proof.thumb]) await insertBlob(tx, blob, isoAt(deps.clock));
	await queries.insertProof(tx, {
		id: newId(),
		order_id: order.id,
		blob_id: proof.full.id,
		thumb_blob_id: proof.thumb.id,
		name: proof.name,
		phone: proof.phone,
		upi_id_sealed: deps.secrets.seal(upiContext, proof.upiId),
		created_at: isoAt(deps.clock),
		link_id: proof.linkId,
		...proofKeysOf(deps, { utr: proof.utr, pictureKey: proof.pictureKey, isTest }),
	});
	if (existing !== undefined) {
		// The new version makes edits in progress stale. A request for a proof is cleared.
		await queries.updateOrder(tx, order.id, {
			updated_at: isoAt(deps.clock),
			version: existing.version + 1,
			...(existing.proof_wanted_at !== null && { proof_wanted_at: null, note: null, note_at: null }),
		});
	}
	const action = existing === undefined ? 'order-placed' : 'proof-added';
	await recordAudit(deps, tx, caller, action, ['order', order.id], { code: order.code, ...(isTest && { isTest }) });
}

/**
 * Adds a proof to an order. The proof gets the name, phone and UPI ID of the link's submission or, without a
 * submission, of the order.
 * @throws AppError NOT_FOUND, ORDER_COMPLETE
 */
export async function addProof(
	deps: Deps,
	tx: Db,
	caller: Caller,
	proof: StoredScreenshot & { utr: string; orderId: string; linkId: string | null },
): Promise<{ userId: string | null }> {
	const order = required(await queries.findOrderForUpdate(tx, proof.orderId), 'NOT_FOUND');
	if (order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
	const [typed] = proof.linkId === null ? [] : await listProofsOfLink(tx, proof.linkId);
	const { name, phone, upi_id_sealed } = typed ?? order;
	const upiId = deps.secrets.unseal(upiContext, upi_id_sealed);
	await insertProof(deps, tx, caller, order, order, { ...proof, name, phone, upiId });
	return { userId: order.user_id };
}

export async function createUniqueOrderCode(tx: Db, title: string): Promise<string> {
	let code = newOrderCode(title);
	while (await queries.hasOrderCode(tx, code)) code = newOrderCode(title);
	return code;
}
