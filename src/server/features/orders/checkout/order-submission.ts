import type { Locale } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId, newOrderCode } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { getBook } from '../../book/index.ts';
import { type FingerprintedPicture, recordDuplicates } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { searchKeyOf, summaryOf, upiContext } from '../order-fields.ts';
import { createSubmissionLink } from '../order-page/order-links.ts';
import { listProofsOfLink } from '../order-page/order-page.queries.ts';
import * as queries from '../orders.queries.ts';

interface Submission {
	userId: string;
	name: string;
	email: string;
	phone: string;
	upiId: string;
	blobId: string;
	thumbBlobId: string;
	madeAccount?: boolean;
	/** Payment reference; empty if none was entered. */
	utr: string;
	picture: FingerprintedPicture;
}

/** Records a purchase under the lock of the user's row: a new order, or a further proof of the open one. */
export async function recordSubmission(deps: Deps, tx: Db, caller: Caller, submission: Submission) {
	const book = await getBook(deps, tx);
	const open = await queries.findOpenOrder(tx, submission.userId);
	const order = open ?? (await insertNewOrder(deps, tx, { ...submission, locale: caller.locale }, book));
	const link = await createSubmissionLink(deps, tx, {
		orderId: order.id,
		email: submission.email,
		madeAccount: submission.madeAccount === true,
		pricePaise: book.discountedPaise,
	});
	const proofId = await insertProof(deps, tx, order.id, { ...submission, linkId: link.id });
	if (open !== undefined) await recordNewProof(deps, tx, open);
	await recordDuplicates(deps, tx, { id: proofId, utr: submission.utr, picture: submission.picture });
	await recordAudit(deps, tx, caller, open === undefined ? 'order-placed' : 'proof-added', ['order', order.id], {
		code: order.code,
	});
	return { orderId: order.id, isNew: open === undefined, summary: summaryOf(order, book), link };
}

interface NewOrder extends Pick<Submission, 'userId' | 'name' | 'email' | 'phone' | 'upiId'> {
	locale: Locale;
	/** Price and time of the order that this one is split from. */
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
	} as const;
	await queries.insertOrder(tx, row);
	return row;
}

async function insertProof(
	deps: Deps,
	tx: Db,
	orderId: string,
	proof: Pick<Submission, 'name' | 'phone' | 'upiId' | 'blobId' | 'thumbBlobId'> & { linkId: string | null },
): Promise<string> {
	const id = newId();
	await queries.insertProof(tx, {
		id,
		order_id: orderId,
		blob_id: proof.blobId,
		thumb_blob_id: proof.thumbBlobId,
		name: proof.name,
		phone: proof.phone,
		upi_id_sealed: deps.secrets.seal(upiContext, proof.upiId),
		created_at: isoAt(deps.clock),
		link_id: proof.linkId,
	});
	return id;
}

/** Updates an order that has received a proof: an edit in progress becomes stale, a request for a proof is cleared. */
async function recordNewProof(deps: Deps, tx: Db, order: queries.OrderRow): Promise<void> {
	await queries.updateOrder(tx, order.id, {
		updated_at: isoAt(deps.clock),
		version: order.version + 1,
		...(order.proof_wanted_at !== null && { proof_wanted_at: null, note: null, note_at: null }),
	});
}

/** Adds a proof with the details of the link's submission or the order. @throws AppError NOT_FOUND, ORDER_COMPLETE */
export async function addProof(
	deps: Deps,
	tx: Db,
	caller: Caller,
	proof: Pick<Submission, 'blobId' | 'thumbBlobId' | 'utr' | 'picture'> & { orderId: string; linkId: string | null },
): Promise<{ userId: string | null }> {
	const order = required(await queries.findOrderForUpdate(tx, proof.orderId), 'NOT_FOUND');
	if (order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
	const [typed] = proof.linkId === null ? [] : await listProofsOfLink(tx, proof.linkId);
	const { name, phone, upi_id_sealed } = typed ?? order;
	const upiId = deps.secrets.unseal(upiContext, upi_id_sealed);
	const proofId = await insertProof(deps, tx, order.id, { ...proof, name, phone, upiId });
	await recordNewProof(deps, tx, order);
	await recordDuplicates(deps, tx, { id: proofId, utr: proof.utr, picture: proof.picture });
	await recordAudit(deps, tx, caller, 'proof-added', ['order', order.id], { code: order.code });
	return { userId: order.user_id };
}

export async function createUniqueOrderCode(tx: Db, title: string): Promise<string> {
	let code = newOrderCode(title);
	while (await queries.hasOrderCode(tx, code)) code = newOrderCode(title);
	return code;
}
