import type { Completion, OrderStatus } from '#contract/orders/orders.ts';
import type { Caller } from '../../../platform/actor.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findUserById } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueCopies } from '../../book/index.ts';
import { enqueueMail, getMailSettings, sanitizeMailName } from '../../mail/index.ts';
import { summarizeOrder } from '../order-fields.ts';
import { createMailLink } from '../order-page/order-links.ts';
import * as queries from '../orders.queries.ts';
import { publishOrders } from '../orders.service.ts';
import { claimReferences, type ReferenceUse } from '../payment-references/payment-references.service.ts';

interface OrderToComplete {
	id: string;
	/** As it was when somebody chose it. */
	version: number;
	/** Of the statement's line that shows the payment. */
	reference?: string | undefined;
	/** All that the line may be known by. */
	references?: string[] | undefined;
}

interface CompletionResult {
	id: string;
	outcome: Completion;
	/** The order that the payment has completed already. */
	usedBy?: string;
}

/** Undoes a completion that was begun. */
class ReferenceUsedError extends Error {
	readonly usedBy: string;

	constructor(usedBy: string) {
		super('The reference has completed another order.');
		this.usedBy = usedBy;
	}
}

/**
 * Sets orders to Complete, each in a transaction of its own: nobody waits for all of them, and one that changed
 * meanwhile leaves the others. What is Complete already is done, so that a lost answer can be asked for again. One
 * payment of a statement completes one order.
 */
export async function completeOrders(
	deps: Deps,
	caller: Caller,
	orders: OrderToComplete[],
): Promise<{ items: CompletionResult[] }> {
	const items: CompletionResult[] = [];
	for (const order of orders) items.push({ id: order.id, ...(await completeUnlessUsed(deps, caller, order)) });
	deps.wakeWorkers();
	return { items };
}

async function completeUnlessUsed(
	deps: Deps,
	caller: Caller,
	order: OrderToComplete,
): Promise<Omit<CompletionResult, 'id'>> {
	try {
		return { outcome: await completeIfUnchanged(deps, caller, order) };
	} catch (error) {
		if (error instanceof ReferenceUsedError) return { outcome: 'used', usedBy: error.usedBy };
		throw error;
	}
}

async function completeIfUnchanged(
	deps: Deps,
	caller: Caller,
	{ id, version, reference, references = [] }: OrderToComplete,
): Promise<Completion> {
	const { outcome, userId } = await inTransaction(deps.db, async (tx) => {
		const order = await queries.findOrderForUpdate(tx, id);
		if (order === undefined) return { outcome: 'gone' as const, userId: undefined };
		if (order.status === 'Complete') return { outcome: 'done' as const, userId: undefined };
		if (order.version !== version) return { outcome: 'stale' as const, userId: undefined };
		await queries.updateOrder(tx, id, {
			status: 'Complete',
			updated_at: isoAt(deps.clock),
			version: order.version + 1,
		});
		const use = await completeOrder(deps, tx, order, references);
		if (use !== undefined) throw new ReferenceUsedError(use.code);
		await recordOrderUpdate(deps, tx, caller, order, 'Complete', reference);
		return { outcome: 'done' as const, userId: order.user_id };
	});
	if (userId !== undefined) publishOrders(deps, userId);
	return outcome;
}

/**
 * The order is paid: what was asked of the buyer is answered, their copies of the book are begun, and the receipt goes to the order's account, once to
 * each address, however often the status goes back and forth. `references`: of the statement's line that shows the payment.
 * @returns another order that this payment has completed already
 */
export async function completeOrder(
	deps: Deps,
	tx: Db,
	order: queries.OrderRow,
	references: readonly string[] = [],
): Promise<ReferenceUse | undefined> {
	const buyer = order.user_id === null ? undefined : await findUserById(tx, order.user_id);
	const isReceiptDue = buyer !== undefined && buyer.email !== order.receipt_to;
	await queries.updateOrder(tx, order.id, {
		completed_at: isoAt(deps.clock),
		...(order.proof_wanted_at !== null && { proof_wanted_at: null, note: null, note_at: null }),
		...(isReceiptDue && { receipt_to: buyer.email }),
	});
	if (isReceiptDue) await mailReceipt(deps, tx, order, buyer.email);
	if (buyer !== undefined) await enqueueCopies(deps, tx, buyer.id);
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
		statusToken: (await createMailLink(deps, tx, order.id)).token,
	});
}

/** Who saved an order, and which status it had before; `reference`: of the payment, where a statement showed it. */
export function recordOrderUpdate(
	deps: Deps,
	tx: Db,
	caller: Caller,
	order: queries.OrderRow,
	to: OrderStatus,
	reference = '',
): Promise<void> {
	return recordAudit(deps, tx, caller, {
		action: 'order-updated',
		subjectKind: 'order',
		subjectId: order.id,
		detail: { code: order.code, from: order.status ?? 'Pending', to, ...(reference !== '' && { reference }) },
	});
}
