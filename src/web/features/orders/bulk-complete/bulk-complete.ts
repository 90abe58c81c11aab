import type { Completion, Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import type { OrderDrafts } from '../management/order-drafts.ts';
import { duplicateTexts, warningDetails } from '../order-warnings.tsx';

/** The selected orders that will be set to Complete, and the numbers of selected orders that are omitted. */
export interface BulkCompletePlan {
	orders: Order[];
	complete: number;
	unsaved: number;
	/** Payment references of the order's statement row, by order ID. Undefined without a bank statement. */
	references?: ReadonlyMap<string, { reference: string; references: string[] }>;
}

export function planBulkComplete(chosen: readonly Order[], drafts: OrderDrafts): BulkCompletePlan {
	const pending = chosen.filter(({ status }) => status !== 'Complete');
	const hasUnsavedChanges = ({ id }: Order) => Object.keys(drafts[id]?.changes ?? {}).length > 0;
	const orders = pending.filter((order) => !hasUnsavedChanges(order));
	return { orders, complete: chosen.length - pending.length, unsaved: pending.length - orders.length };
}

/** Returns the warnings to show before an order is completed. */
export function orderFlags(order: Order): string[] {
	return [
		...(order.oddFields.length > 0 ? [warningDetails(order)] : []),
		...order.repeats.map(({ kind, code }) => duplicateTexts[kind]({ code })),
		...(order.screenshot === null ? [m.orders_bulk_no_proof()] : []),
		...(order.isProofWanted ? [m.orders_proof_wanted()] : []),
	];
}

/** Returns why an order was not completed. `usedBy`, `usedByName`: the order that the same payment has completed. */
export function outcomeText(outcome: Exclude<Completion, 'done'>, usedBy = '', usedByName?: string): string {
	if (outcome === 'used')
		return m.orders_bulk_used({ order: usedByName === undefined ? usedBy : `${usedBy} (${usedByName})` });
	return outcome === 'stale' ? m.orders_bulk_stale() : m.orders_bulk_gone();
}
