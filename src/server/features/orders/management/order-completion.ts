import type { InputOf } from '#contract/core/endpoint.ts';
import type { Completion, OrderStatus, orders } from '#contract/orders/orders.ts';
import type { Caller } from '../../../platform/actor.ts';
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
import { claimReferences } from '../payment-references/payment-references.service.ts';

type OrderToComplete = InputOf<typeof orders.complete>['orders'][number];

/** Thrown to roll back a completion whose payment has already completed another order. */
class ReferenceUsedError extends Error {
	readonly usedBy: string;

	constructor(usedBy: string) {
		super('The reference has completed another order.');
		this.usedBy = usedBy;
	}
}

/**
 * Sets orders to Complete, each in its own transaction, so that an order that has changed meanwhile does not stop the
 * others. An order that is already Complete is reported as done, so that a request can be repeated after a lost
 * response. A payment of a statement completes only one order.
 */
export async function completeOrders(deps: Deps, caller: Caller, selected: OrderToComplete[]) {
	const items: Array<{ id: string; outcome: Completion; usedBy?: string }> = [];
	for (const order of selected) {
		const result = await completeIfUnchanged(deps, caller, order).catch((error: unknown) => {
			if (error instanceof ReferenceUsedError) return { outcome: 'used' as const, usedBy: error.usedBy };
			throw error;
		});
		items.push({ id: order.id, ...result });
	}
	deps.wakeWorkers();
	return { items };
}

async function completeIfUnchanged(
	deps: Deps,
	caller: Caller,
	{ id, version, reference, references = [] }: OrderToComplete,
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
		const use = await completeOrder(deps, tx, order, references);
		if (use !== undefined) throw new ReferenceUsedError(use.code);
		await recordOrderUpdate(deps, tx, caller, order, 'Complete', reference);
		return order;
	});
	if (typeof result === 'string') return { outcome: result };
	publishOrders(deps, result.user_id);
	return { outcome: 'done' };
}

/**
 * Applies the effects of a payment: clears a request for a new proof, mails the receipt unless the last receipt went to
 * the account's current address, enqueues the buyer's copies of the book, and stores the payment's references.
 * `references`: the references in the statement row of the payment.
 * @returns another order that this payment has already completed
 */
export async function completeOrder(deps: Deps, tx: Db, order: queries.OrderRow, references: readonly string[] = []) {
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
	if (order.is_test === 1) return undefined;
	return claimReferences(deps, tx, order, references);
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

/** Adds an audit entry with the old and new status of an order. `reference`: that of the payment in a statement. */
export function recordOrderUpdate(
	deps: Deps,
	tx: Db,
	caller: Caller,
	order: queries.OrderRow,
	to: OrderStatus,
	reference = '',
): Promise<void> {
	const change = { code: order.code, from: order.status ?? 'Pending', to, ...(reference !== '' && { reference }) };
	return recordAudit(deps, tx, caller, 'order-updated', ['order', order.id], change);
}
