import type { InputOf } from '#contract/core/endpoint.ts';
import type { Completion, OrderStatus, orders } from '#contract/orders/orders.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findUserById } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueCopies } from '../../book/index.ts';
import { enqueueMail, getMailSettings, sanitizeMailName } from '../../mail/index.ts';
import { createOrderLink } from '../order-page/order-links.ts';
import { summarizeOrder } from '../orders.presenter.ts';
import * as queries from '../orders.queries.ts';
import { publishOrders } from '../orders.service.ts';
import { claimReferences, type ReferenceUse } from '../payment-references/payment-references.service.ts';

type OrderToComplete = InputOf<typeof orders.complete>['orders'][number];

/** Thrown to roll back a completion whose payment has already completed another order, which the admin has not seen. */
class PaymentUsedError extends AppError {
	readonly use: ReferenceUse;

	constructor(use: ReferenceUse) {
		const order = use.name === null ? use.code : `${use.code} (${use.name})`;
		super('PAYMENT_USED', { params: { order }, fields: { usedBy: use.code } });
		this.use = use;
	}
}

/**
 * Sets orders to Complete, each in its own transaction, so that an order that has changed meanwhile does not stop the
 * others. An order that is already Complete is reported as done, so that a request can be repeated after a lost
 * response. An order whose payment has completed another order is only completed if `usedBy` has the other's code.
 */
export async function completeOrders(deps: Deps, caller: Caller, selected: OrderToComplete[]) {
	const items: Array<{ id: string; outcome: Completion; usedBy?: string; usedByName?: string }> = [];
	for (const order of selected) {
		const result = await completeIfUnchanged(deps, caller, order).catch((error: unknown) => {
			if (!(error instanceof PaymentUsedError)) throw error;
			const { code, name } = error.use;
			return { outcome: 'used' as const, usedBy: code, ...(name !== null && { usedByName: name }) };
		});
		items.push({ id: order.id, ...result });
	}
	deps.wakeWorkers();
	return { items };
}

async function completeIfUnchanged(
	deps: Deps,
	caller: Caller,
	{ id, version, reference = '', references = [], usedBy }: OrderToComplete,
): Promise<{ outcome: Completion }> {
	const result = await inTransaction(deps.db, async (tx) => {
		const order = await queries.findOrderForUpdate(tx, id);
		if (order === undefined) return 'gone';
		if (order.status === 'Complete') return 'done';
		if (order.version !== version) return 'stale';
		await queries.updateOrder(tx, id, {
			status: 'Complete',
			updated_at: isoAt(deps.clock),
			version: order.version + 1,
		});
		const use = await completeOrder(deps, tx, order, { references, usedBy });
		const payment = { ...(reference !== '' && { reference }), ...use };
		await recordOrderUpdate(deps, tx, caller, order, 'Complete', payment);
		return order;
	});
	if (typeof result === 'string') return { outcome: result };
	publishOrders(deps, result.user_id);
	return { outcome: 'done' };
}

/**
 * Applies the effects of a payment: clears a request for a new proof, mails the receipt unless the last receipt went to
 * the account's current address, enqueues the buyer's copies of the book, and stores the payment's references.
 * @param payment `references`: those in the payment's statement row; `usedBy`: code of the order that this payment
 * already completed, if the admin has confirmed it
 * @returns `usedBy` for the audit entry
 * @throws AppError PAYMENT_USED when the payment has completed another order than `usedBy`
 */
export async function completeOrder(
	deps: Deps,
	tx: Db,
	order: queries.OrderRow,
	{ references = [], usedBy }: { references?: readonly string[]; usedBy: string | undefined },
): Promise<{ usedBy?: string }> {
	const buyer = order.user_id === null ? undefined : await findUserById(tx, order.user_id);
	const isReceiptDue = buyer !== undefined && buyer.email !== order.receipt_to;
	await queries.updateOrder(tx, order.id, {
		completed_at: isoAt(deps.clock),
		...(order.proof_wanted_at !== null && { proof_wanted_at: null, note: null, note_at: null }),
		...(isReceiptDue && { receipt_to: buyer.email }),
	});
	if (isReceiptDue) await mailReceipt(deps, tx, order, buyer.email);
	if (buyer !== undefined) await enqueueCopies(deps, tx, buyer.id);
	// A test order is not paid, so it uses up no reference.
	if (order.is_test === 1) return {};
	const use = await claimReferences(deps, tx, order, references);
	if (use === undefined) return {};
	if (use.code !== usedBy) throw new PaymentUsedError(use);
	return { usedBy };
}

async function mailReceipt(deps: Deps, tx: Db, order: queries.OrderRow, to: string): Promise<void> {
	const { seller } = await getMailSettings(tx);
	await enqueueMail(deps, tx, {
		kind: 'receipt',
		to,
		locale: order.locale ?? 'en',
		name: sanitizeMailName(order.name),
		order: await summarizeOrder(deps, tx, order),
		paidAt: isoAt(deps.clock),
		seller,
		statusToken: (await createOrderLink(deps, tx, { order_id: order.id })).token,
	});
}

/**
 * Adds an audit entry with the old and new status of an order, and for a completion the payment's reference in a
 * statement and the other order that the payment has completed.
 */
export function recordOrderUpdate(
	deps: Deps,
	tx: Db,
	caller: Caller,
	order: queries.OrderRow,
	to: OrderStatus,
	payment: { reference?: string; usedBy?: string } = {},
): Promise<void> {
	const change = { code: order.code, from: order.status ?? 'Pending', to, ...payment };
	return recordAudit(deps, tx, caller, 'order-updated', ['order', order.id], change);
}
