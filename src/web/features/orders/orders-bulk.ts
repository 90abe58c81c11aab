import type { Completion, Order } from '#contract/orders/orders.ts';
import { m } from '#messages';
import type { OrderDrafts } from './orders-drafts.ts';
import { oddValues } from './orders-odd.ts';

/** Of chosen orders, which are set to Complete and which are not. */
export interface BulkPlan {
	orders: Order[];
	/** Complete already. */
	complete: number;
	/** With something typed that is not saved: completing would overtake it. */
	unsaved: number;
	/** By order: the payment's reference on the statement that showed it. */
	references?: ReadonlyMap<string, string>;
}

/** Sorts out what a bulk Complete would do. */
export function planBulk(chosen: readonly Order[], drafts: OrderDrafts): BulkPlan {
	const open = chosen.filter(({ status }) => status !== 'Complete');
	const isTyped = ({ id }: Order) => Object.keys(drafts[id]?.changes ?? {}).length > 0;
	const orders = open.filter((order) => !isTyped(order));
	return { orders, complete: chosen.length - open.length, unsaved: open.length - orders.length };
}

/** What an owner should have looked at before, in the desk's words. */
export function flagsOf(order: Order): string[] {
	return [
		...(order.oddFields.length > 0 ? [oddValues(order)] : []),
		...order.repeats.map(({ kind, code }) =>
			kind === 'utr' ? m.orders_same_utr({ code }) : m.orders_same_picture({ code }),
		),
		...(order.screenshot === null ? [m.orders_bulk_no_proof()] : []),
		...(order.isProofWanted ? [m.orders_proof_wanted()] : []),
	];
}

/** How an order that stays as it was is told of. */
export function outcomeText(outcome: Exclude<Completion, 'done'>): string {
	return outcome === 'stale' ? m.orders_bulk_stale() : m.orders_bulk_gone();
}
