import type { Completion } from '#contract/orders/orders.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import * as queries from './orders.queries.ts';
import { completeOrder, publishOrders, recordUpdate } from './orders.service.ts';

interface SeenOrder {
	id: string;
	/** As it was when somebody chose it. */
	version: number;
}

/**
 * Sets orders to Complete, each in a transaction of its own: nobody waits for all of them, and one that changed
 * meanwhile leaves the others. What is Complete already is done, so that a lost answer can be asked for again.
 */
export async function completeOrders(
	deps: Deps,
	caller: Caller,
	orders: SeenOrder[],
): Promise<{ items: Array<{ id: string; outcome: Completion }> }> {
	const items: Array<{ id: string; outcome: Completion }> = [];
	for (const order of orders) items.push({ id: order.id, outcome: await complete(deps, caller, order) });
	deps.wakeWorkers();
	return { items };
}

async function complete(deps: Deps, caller: Caller, { id, version }: SeenOrder): Promise<Completion> {
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
		await completeOrder(deps, tx, order);
		await recordUpdate(deps, tx, caller, order, 'Complete');
		return { outcome: 'done' as const, userId: order.user_id };
	});
	if (userId !== undefined) publishOrders(deps, userId);
	return outcome;
}
