import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { StatementLine } from '#contract/orders/statement-import.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inBatches } from '../../../platform/database/query-preparation.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createTimedYield, yieldToEventLoop } from '../../../platform/event-loop.ts';
import { dayOf } from '../../../platform/format.ts';
import { utrLookupKey } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { isUnusualUtr } from '../order-warnings.ts';
import { presentOrders } from '../orders.presenter.ts';
import { listOrdersById, type OrderRow } from '../orders.queries.ts';
import { listOrdersByUtr } from '../payment-references/payment-references.queries.ts';
import { findReferenceUses, type ReferenceUse } from '../payment-references/payment-references.service.ts';
import type { Credit, StatementContents } from './statement-credits.ts';

/** Days that a payment may precede its order. Some buyers pay first and fill in the form after a weekend. */
const daysBeforeOrderMax = 3;

type Verdict = Pick<StatementLine, 'kind' | 'why'>;

/** A credit, and the orders that have one of its references. */
export interface Match extends Verdict, Pick<StatementLine, 'reference' | 'references' | 'usedBy'> {
	credit: Credit;
	orders: OrderRow[];
}

interface Evidence {
	credit: Credit;
	/** References of the row that orders have too. */
	references: string[];
	orders: OrderRow[];
	/** An earlier order that was completed with a reference of the row. */
	use: ReferenceUse | undefined;
	/** Whether another row has a reference of one of the orders. */
	isShared: boolean;
	isReturned: boolean;
	isDayPlausible: boolean;
}

/** Finds the orders of each credit, and classifies the credit. `currentPaise`: price of orders without a price. */
export async function matchCredits(deps: Deps, { credits, returned }: StatementContents, currentPaise: number) {
	const { orderIdsByReference, ordersById, usesByReference } = await findByReferences(deps, credits);
	const rowsByOrder = new Map<string, number>();
	const rowsByReference = new Map<string, number>();
	const known: Array<Pick<Evidence, 'credit' | 'references' | 'orders'>> = [];
	await forEachYielding(credits, (credit) => {
		const references = credit.references.filter((reference) => orderIdsByReference.has(reference));
		const ids = new Set(references.flatMap((reference) => [...(orderIdsByReference.get(reference) ?? [])]));
		for (const id of ids) increment(rowsByOrder, id);
		for (const reference of credit.references) increment(rowsByReference, reference);
		known.push({ credit, references, orders: [...ids].flatMap((id) => ordersById.get(id) ?? []) });
	});
	const today = dayOf(isoAt(deps.clock), deps.config.TIME_ZONE);
	const matches: Match[] = [];
	await forEachYielding(known, ({ credit, references, orders }) => {
		const [order] = orders;
		const [use] = credit.references.flatMap((reference) => usesByReference.get(reference) ?? []);
		const verdict = classifyCredit(
			{
				credit,
				references,
				orders,
				use,
				isShared: orders.some(({ id }) => (rowsByOrder.get(id) ?? 0) > 1),
				isReturned: references.some((reference) => returned.has(reference)),
				isDayPlausible: order === undefined || isPlausibleDay(deps, credit.day, order, today),
			},
			currentPaise,
		);
		matches.push({
			credit,
			orders,
			reference: references[0] ?? '',
			references: references.length > 0 ? references : distinctiveReferences(credit, rowsByReference),
			usedBy: verdict.why === 'used' && use !== undefined ? use.code : null,
			...verdict,
		});
	});
	return downgradeFlagged(deps, matches);
}

export async function forEachYielding<T>(items: readonly T[], run: (item: T) => void): Promise<void> {
	const yieldRegularly = createTimedYield();
	for (const item of items) {
		run(item);
		await yieldRegularly();
	}
}

function increment(counts: Map<string, number>, key: string): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Returns the references to record when an order is completed with this payment. References that no other row has are
 * preferred, and among them references of a usual form.
 */
function distinctiveReferences({ references }: Credit, rowsByReference: ReadonlyMap<string, number>): string[] {
	const unshared = references.filter((reference) => rowsByReference.get(reference) === 1);
	const candidates = unshared.length > 0 ? unshared : references;
	const usual = candidates.filter((reference) => !isUnusualUtr(reference));
	return (usual.length > 0 ? usual : candidates).slice(0, limits.statementReferencesPerRowMax);
}

/** Returns whether the payment is not in the future, and at most `daysBeforeOrderMax` days older than its order. */
function isPlausibleDay(deps: Deps, day: string | null, order: OrderRow, today: string): boolean {
	if (day === null) return true;
	const orderedMs = Date.parse(dayOf(order.created_at, deps.config.TIME_ZONE));
	return day <= today && Date.parse(day) >= orderedMs - daysBeforeOrderMax * 86_400_000;
}

/** Classifies a credit: `matched` if only one row and one order have its reference, and amount and checks are right. */
function classifyCredit(evidence: Evidence, currentPaise: number): Verdict {
	const { credit, orders, use, isShared, isReturned, isDayPlausible } = evidence;
	const [order] = orders;
	if (order !== undefined && orders.every(({ status }) => status === 'Complete'))
		return { kind: 'complete', why: null };
	if (use !== undefined) return { kind: 'unclear', why: 'used' };
	if (order === undefined) return { kind: 'missing', why: null };
	if (orders.length > 1) return { kind: 'unclear', why: 'several-orders' };
	if (isShared) return { kind: 'unclear', why: 'several-lines' };
	if (isReturned) return { kind: 'unclear', why: 'returned' };
	if (credit.doubt !== null) return { kind: 'unclear', why: credit.doubt };
	if (isReferenceDoubtful(evidence, order)) return { kind: 'unclear', why: 'reference' };
	if (credit.paise !== (order.price_paise ?? currentPaise)) return { kind: 'amount', why: null };
	return isDayPlausible ? { kind: 'matched', why: null } : { kind: 'unclear', why: 'day' };
}

/**
 * Returns whether it is doubtful that the payment has the order's reference: the row has several references, or the
 * reference has an unusual form or is the buyer's phone number.
 */
function isReferenceDoubtful({ credit, references }: Evidence, order: OrderRow): boolean {
	const usual = credit.references.filter((reference) => !isUnusualUtr(reference));
	const isOneOfSeveral = usual.some((one) => usual.some((other) => !one.endsWith(other) && !other.endsWith(one)));
	const phone = order.phone.replace(/\D/gu, '').slice(-10);
	const isPhone = (reference: string) => phone.length === 10 && reference.endsWith(phone);
	return isOneOfSeveral || references.every((reference) => isUnusualUtr(reference) || isPhone(reference));
}

/** Classifies matches of orders with warnings or duplicate proofs as unclear, so that an admin checks them. */
async function downgradeFlagged(deps: Deps, matches: Match[]): Promise<Match[]> {
	const matchedOrders = matches.flatMap(({ kind, orders }) => (kind === 'matched' ? orders : []));
	const flagged = new Set(
		(await presentInBatches(deps, matchedOrders))
			.filter(({ oddFields, repeats }) => oddFields.length > 0 || repeats.length > 0)
			.map(({ id }) => id),
	);
	return matches.map((match) => {
		const isFlagged = match.kind === 'matched' && match.orders.some(({ id }) => flagged.has(id));
		return isFlagged ? { ...match, kind: 'unclear', why: 'flagged' } : match;
	});
}

/** Finds the orders that have the references of the credits, or were completed with them. */
async function findByReferences(deps: Deps, credits: Credit[]) {
	const references = new Set<string>();
	await forEachYielding(credits, (credit) => {
		for (const reference of credit.references) references.add(reference);
	});
	const orderIdsByReference = new Map<string, Set<string>>();
	const usesByReference = new Map<string, ReferenceUse[]>();
	const addOrder = (reference: string, orderId: string) =>
		orderIdsByReference.set(reference, (orderIdsByReference.get(reference) ?? new Set()).add(orderId));
	for (const batch of inBatches([...references])) {
		const keys = new Map(batch.map((reference) => [utrLookupKey(deps, reference), reference]));
		for (const { utrKey, orderId } of await listOrdersByUtr(deps.db, [...keys.keys()]))
			addOrder(keys.get(utrKey ?? '') ?? '', orderId);
		for (const [reference, uses] of await findReferenceUses(deps, batch)) {
			usesByReference.set(reference, uses);
			for (const { orderId, name, isMain } of uses) if (name !== null && isMain) addOrder(reference, orderId);
		}
		await yieldToEventLoop();
	}
	const ids = new Set([...orderIdsByReference.values()].flatMap((orderIds) => [...orderIds]));
	const ordersById = new Map<string, OrderRow>();
	for (const batch of inBatches([...ids])) {
		for (const order of await listOrdersById(deps.db, batch)) ordersById.set(order.id, order);
		await yieldToEventLoop();
	}
	return { orderIdsByReference, ordersById, usesByReference };
}

export async function presentInBatches(deps: Deps, rows: OrderRow[]): Promise<Order[]> {
	const orders: Order[] = [];
	for (const batch of inBatches(rows)) {
		orders.push(...(await presentOrders(deps, batch)));
		await yieldToEventLoop();
	}
	return orders;
}
