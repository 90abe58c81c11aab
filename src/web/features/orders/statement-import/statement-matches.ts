import type { Order } from '#contract/orders/orders.ts';
import type {
	ComparedStatement,
	StatementDoubt,
	StatementKind,
	StatementLine,
} from '#contract/orders/statement-import.ts';
import { m } from '#messages';

export const kindLabels: Readonly<Record<StatementKind, { title: () => string; hint: () => string }>> = {
	matched: { title: m.orders_statement_matched, hint: m.orders_statement_matched_hint },
	amount: { title: m.orders_statement_amount, hint: m.orders_statement_amount_hint },
	unclear: { title: m.orders_statement_unclear, hint: m.orders_statement_unclear_hint },
	missing: { title: m.orders_statement_missing, hint: m.orders_statement_missing_hint },
	complete: { title: m.orders_statement_complete, hint: m.orders_statement_complete_hint },
};

const doubtTexts: Readonly<Record<Exclude<StatementDoubt, 'used'>, () => string>> = {
	'several-orders': m.orders_statement_several_orders,
	'several-lines': m.orders_statement_several_lines,
	returned: m.orders_statement_returned,
	direction: m.orders_statement_doubt_direction,
	reference: m.orders_statement_doubt_reference,
	day: m.orders_statement_doubt_day,
	flagged: m.orders_statement_doubt_flagged,
	'other-reference': m.orders_statement_suggested_other,
};

/** Returns why a statement row needs a review, or undefined. */
export function findDoubt({ kind, why, usedBy, orderIds }: StatementLine): string | undefined {
	if (why === 'used') return m.orders_statement_used({ code: usedBy ?? '' });
	if (why !== null) return doubtTexts[why]();
	return kind === 'missing' && orderIds.length > 0 ? m.orders_statement_suggested() : undefined;
}

/** Rows with matching or suggested orders come first. */
export function rowsOfKind(lines: readonly StatementLine[], kind: StatementKind): StatementLine[] {
	return lines
		.filter((line) => line.kind === kind)
		.toSorted((one, other) => Number(other.orderIds.length > 0) - Number(one.orderIds.length > 0));
}

/** Returns the IDs of the orders to select initially, which are those of rows with the kind `matched`. */
export function matchedOrderIds({ lines }: ComparedStatement): Set<string> {
	return new Set(lines.flatMap(({ kind, orderIds }) => (kind === 'matched' ? orderIds : [])));
}

/** Returns, by ID, orders that are not Complete and whose payment has not completed another order. */
export function pendingOrders({ lines, orders }: ComparedStatement): Map<string, Order> {
	const unusedIds = new Set(lines.flatMap(({ why, orderIds }) => (why === 'used' ? [] : orderIds)));
	return new Map(
		orders.flatMap((order) =>
			order.status === 'Complete' || !unusedIds.has(order.id) ? [] : [[order.id, order] as const],
		),
	);
}

/** Toggles an order. Deselects all other orders of the row, because a payment can complete only one order. */
export function toggleOrder(chosen: ReadonlySet<string>, { orderIds }: StatementLine, id: string): Set<string> {
	const next = new Set(chosen);
	for (const orderId of orderIds) next.delete(orderId);
	if (!chosen.has(id)) next.add(id);
	return next;
}

/** Returns, by order ID, the payment references of the order's statement row. */
export function referencesByOrder({ lines }: ComparedStatement) {
	return new Map(
		lines.flatMap(({ why, orderIds, reference, references }) =>
			why === 'used' ? [] : orderIds.map((id) => [id, { reference, references }] as const),
		),
	);
}

/** Returns the name of a column in a spreadsheet: A, B, ... Z, AA. */
export function columnLetter(index: number): string {
	const last = String.fromCharCode(65 + (index % 26));
	return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last;
}
