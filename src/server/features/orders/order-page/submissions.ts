import type { SubmittedDetails } from '#contract/orders/order-page.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { getBook } from '../../book/index.ts';
import type { MailOrder } from '../../mail/index.ts';
import { createUniqueOrderCode, insertNewOrder } from '../checkout/order-submission.ts';
import { newestUtr, searchKeyOf, summaryOf, upiContext } from '../orders.presenter.ts';
import * as queries from '../orders.queries.ts';
import { listProofsOfLink, type OrderLinkRow } from './order-page.queries.ts';

/**
 * Returns the order of a link, with the price at the time of the link's submission, the book's title, and how buyers are
 * asked for the reference. The order itself may be an older one of another buyer.
 * @throws AppError NOT_FOUND
 */
export async function getOrderOfLink(deps: Deps, link: OrderLinkRow) {
	const order = required(await queries.findOrder(deps.db, link.order_id), 'NOT_FOUND');
	const book = await getBook(deps, deps.db);
	const { pricePaise, title, offered } = summaryOf(order, book);
	return { ...order, pricePaise: link.price_paise ?? pricePaise, title, offered, utrRequest: book.utrRequest };
}

export async function getSubmission(deps: Deps, db: Db, linkId: string, email: string): Promise<SubmittedDetails> {
	const proofs = await listProofsOfLink(db, linkId);
	const [first] = proofs;
	return {
		name: first?.name ?? '',
		phone: first?.phone ?? '',
		email,
		upiId: first === undefined ? '' : deps.secrets.unseal(upiContext, first.upi_id_sealed),
		utr: newestUtr(deps, proofs.toReversed()),
		proofCount: proofs.length,
	};
}

/** Returns the locked order, and whether it has proofs of other links. @throws AppError NOT_FOUND, ORDER_COMPLETE */
export async function getMovableOrder(tx: Db, link: OrderLinkRow) {
	const order = required(await queries.findOrderForUpdate(tx, link.order_id), 'NOT_FOUND');
	if (order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
	const proofs = await queries.listProofs(tx, [order.id]);
	return { order, hasOthers: proofs.some((proof) => proof.link_id !== link.id) };
}

interface SubmissionMove {
	link: OrderLinkRow;
	order: queries.OrderRow;
	hasOthers: boolean;
	user: { id: string };
	email: string;
}

/**
 * Moves a submission to another user. If other senders have sent proofs for its order, the user gets a new order.
 * Otherwise the order moves and gets a new code.
 */
export async function moveSubmission(
	deps: Deps,
	tx: Db,
	caller: Caller,
	{ link, order, hasOthers, user, email }: SubmissionMove,
): Promise<{ orderId: string; lines: Required<MailOrder> }> {
	const book = await getBook(deps, tx);
	const moved = hasOthers
		? await splitOrder(deps, tx, { link, order, user, email }, book)
		: { ...order, code: await createUniqueOrderCode(tx, book.title) };
	if (!hasOthers) {
		await queries.updateOrder(tx, order.id, {
			code: moved.code,
			user_id: user.id,
			email,
			search_key: searchKeyOf(`${order.name}\n${email}`),
			updated_at: isoAt(deps.clock),
			version: order.version + 1,
		});
	}
	const correction = { code: moved.code, from: `${link.email} (${order.code})`, to: email };
	await recordAudit(deps, tx, caller, 'order-address-corrected', ['order', moved.id], correction);
	return { orderId: moved.id, lines: summaryOf(moved, book) };
}

/**
 * Creates an order for one submission of a shared order. If the old order has the details of this submission, it gets
 * those of its earliest other proof instead.
 */
async function splitOrder(
	deps: Deps,
	tx: Db,
	{ link, order, user, email }: Omit<SubmissionMove, 'hasOthers'>,
	book: { title: string; discountedPaise: number },
) {
	const { name, phone, upiId } = await getSubmission(deps, tx, link.id, email);
	const proofs = (await queries.listProofs(tx, [order.id])).toReversed();
	// The old order's price is used only if this submission was the first one, because a buyer must not get the price of
	// an order that other buyers had placed before.
	const pricePaise = proofs[0]?.link_id === link.id ? order.price_paise : (link.price_paise ?? book.discountedPaise);
	const since = { pricePaise, createdAt: link.created_at };
	const locale = order.locale ?? 'en';
	const newOrder = await insertNewOrder(deps, tx, { userId: user.id, name, phone, upiId, email, locale, since }, book);
	const remaining = proofs.find((proof) => proof.link_id !== link.id);
	const isOrderFromSubmission = order.name === name && order.phone === phone;
	await queries.updateOrder(tx, order.id, {
		version: order.version + 1,
		updated_at: isoAt(deps.clock),
		...(isOrderFromSubmission &&
			remaining !== undefined && {
				name: remaining.name,
				phone: remaining.phone,
				upi_id_sealed: remaining.upi_id_sealed,
				search_key: searchKeyOf(`${remaining.name}\n${order.email}`),
			}),
	});
	return newOrder;
}
