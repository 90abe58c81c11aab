import type { Completion, Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import type { OrderDrafts } from '../management/order-drafts.ts';
import { warningDetails } from '../order-warnings.ts';

/** Of chosen orders, which are set to Complete and which are not. */
export interface BulkCompletePlan {
	orders: Order[];
	/** Complete already. */
	complete: number;
	/** With something typed that is not saved: completing would overtake it. */
	unsaved: number;
	/** By order: the payment's references on the statement that showed it. */
	references?: ReadonlyMap<string, { reference: string; references: string[] }>;
}

/** What an order has in common with another one. */
export const duplicateTexts = {
	utr: m.orders_same_utr,
	picture: m.orders_same_picture,
	used: m.orders_used_utr,
} as const;

/** Sorts out what a bulk Complete would do. */
export function planBulkComplete(chosen: readonly Order[], drafts: OrderDrafts): BulkCompletePlan {
	const open = chosen.filter(({ status }) => status !== 'Complete');
	const hasUnsavedChanges = ({ id }: Order) => Object.keys(drafts[id]?.changes ?? {}).length > 0;
	const orders = open.filter((order) => !hasUnsavedChanges(order));
	return { orders, complete: chosen.length - open.length, unsaved: open.length - orders.length };
}

/** What an owner should have looked at before, in the desk's words. */
export function orderFlags(order: Order): string[] {
	return [
		...(order.oddFields.length > 0 ? [warningDetails(order)] : []),
		...order.repeats.map(({ kind, code }) => duplicateTexts[kind]({ code })),
		...(order.screenshot === null ? [m.orders_bulk_no_proof()] : []),
		...(order.isProofWanted ? [m.orders_proof_wanted()] : []),
	];
}

/** How an order that stays as it was is told of; `usedBy`: the order that the payment has completed. */
export function outcomeText(outcome: Exclude<Completion, 'done'>, usedBy = ''): string {
	if (outcome === 'used') return m.orders_bulk_used({ code: usedBy });
	return outcome === 'stale' ? m.orders_bulk_stale() : m.orders_bulk_gone();
}
