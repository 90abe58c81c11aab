import type { Locale } from '#contract/storefront/landing.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId, newOrderCode } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { getBook } from '../../book/index.ts';
import { type FingerprintedPicture, recordDuplicates } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { type OrderSummary, searchKeyOf, upiContext } from '../order-fields.ts';
import { createSubmissionLink, listProofsOfLink, type OrderLink } from '../order-page/order-links.ts';
import * as queries from '../orders.queries.ts';

export interface Submission {
	userId: string;
	name: string;
	email: string;
	phone: string;
	upiId: string;
	blobId: string;
	thumbBlobId: string;
	/** Whether the person's account was made for this very submission. */
	madeAccount?: boolean;
	/** '' for none. */
	utr: string;
	picture: FingerprintedPicture;
}

/** What came of a submission: the order's lines, and the submission's own link to the status page. */
export interface RecordedSubmission {
	orderId: string;
	isNew: boolean;
	summary: OrderSummary;
	link: OrderLink;
}

/**
 * A purchase inside the caller's transaction: a new order at the price of this moment, or one more proof on the
 * person's open order. The caller holds the person's row lock, so that two submissions make one order.
 */
export async function recordSubmission(
	deps: Deps,
	tx: Db,
	caller: Caller,
	submission: Submission,
): Promise<RecordedSubmission> {
	const now = isoAt(deps.clock);
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
	await recordAudit(deps, tx, caller, {
		action: open === undefined ? 'order-placed' : 'proof-added',
		subjectKind: 'order',
		subjectId: order.id,
		detail: { code: order.code },
	});
	const lines = {
		code: order.code,
		title: book.title,
		pricePaise: order.price_paise ?? book.discountedPaise,
		receivedAt: open?.created_at ?? now,
	};
	return { orderId: order.id, isNew: open === undefined, summary: lines, link };
}

interface NewOrder extends Pick<Submission, 'userId' | 'name' | 'email' | 'phone' | 'upiId'> {
	locale: Locale;
	/** Of an order that is made anew for one that was received before. */
	since?: { pricePaise: number | null; createdAt: string };
}

/** A Pending order without a proof: the caller adds one. */
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

/** What came with one picture. */
interface NewProof extends Pick<Submission, 'name' | 'phone' | 'upiId' | 'blobId' | 'thumbBlobId'> {
	linkId: string | null;
}

/** @returns its id */
async function insertProof(deps: Deps, tx: Db, orderId: string, proof: NewProof): Promise<string> {
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

/** The desk sees one proof more, so a row edited meanwhile is stale; whoever asked for one has it. */
async function recordNewProof(deps: Deps, tx: Db, order: queries.OrderRow): Promise<void> {
	await queries.updateOrder(tx, order.id, {
		updated_at: isoAt(deps.clock),
		version: order.version + 1,
		...(order.proof_wanted_at !== null && { proof_wanted_at: null, note: null, note_at: null }),
	});
}

/**
 * One more proof on an order that is there, with the details of `typed`, or else of the order.
 * @throws AppError NOT_FOUND, ORDER_COMPLETE
 */
export async function addProof(
	deps: Deps,
	tx: Db,
	caller: Caller,
	proof: Pick<Submission, 'blobId' | 'thumbBlobId' | 'utr' | 'picture'> & { orderId: string; linkId: string | null },
): Promise<{ userId: string | null }> {
	const order = await queries.findOrderForUpdate(tx, proof.orderId);
	if (order === undefined) throw new AppError('NOT_FOUND');
	if (order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
	const [typed] = proof.linkId === null ? [] : await listProofsOfLink(tx, proof.linkId);
	const { name, phone, upi_id_sealed } = typed ?? order;
	const upiId = deps.secrets.unseal(upiContext, upi_id_sealed);
	const proofId = await insertProof(deps, tx, order.id, { ...proof, name, phone, upiId });
	await recordNewProof(deps, tx, order);
	await recordDuplicates(deps, tx, { id: proofId, utr: proof.utr, picture: proof.picture });
	await recordAudit(deps, tx, caller, {
		action: 'proof-added',
		subjectKind: 'order',
		subjectId: order.id,
		detail: { code: order.code },
	});
	return { userId: order.user_id };
}

/** A code that no order has. */
export async function createUniqueOrderCode(tx: Db, title: string): Promise<string> {
	let code = newOrderCode(title);
	while (await queries.hasOrderCode(tx, code)) code = newOrderCode(title);
	return code;
}

export type { OrderSummary } from '../order-fields.ts';
