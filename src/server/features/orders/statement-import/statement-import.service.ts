import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import {
	type StatementAnswer,
	type StatementColumns,
	type StatementKind,
	type StatementLine,
	statementKind,
} from '#contract/orders/statement-import.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createTimedYield, yieldToEventLoop } from '../../../platform/event-loop.ts';
import { dayOf } from '../../../platform/format.ts';
import { getBook } from '../../book/index.ts';
import { utrLookupKey } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { isUnusualUtr } from '../order-warnings.ts';
import { presentOrders } from '../orders.presenter.ts';
import type { OrderRow } from '../orders.queries.ts';
import * as queries from '../payment-references/payment-references.queries.ts';
import { findReferenceUses, type ReferenceUse } from '../payment-references/payment-references.service.ts';
import { suggestOrders } from './order-suggestions.ts';
import { type Columns, columnsOfChoice, presentColumns } from './statement-columns.ts';
import {
	addRow,
	type Credit,
	emptyContents,
	findHeaderAbovePayments,
	type StatementContents,
} from './statement-credits.ts';
import { findHeader, readStatementRows, type StatementRow, sampleRowsOf } from './statement-rows.ts';
import { decodeStatement } from './statement-text.ts';
import { createAccountMatcher } from './statement-values.ts';

const keysPerQuery = 200;
const ordersPerStep = 50;
const unreadShownMax = 50;
/** Rows above the payments that may name the account. */
const preambleRowsMax = 100;
/** Maximum number of orders shown per row: an admin would not look through more with the same reference. */
const ordersPerRowMax = 20;
/** Days that a payment may be older than its order: some buyers pay first, and fill in the form after a weekend. */
const daysBeforeOrderMax = 3;

/**
 * Compares a statement with the orders: every credit is classified by its reference. Changes nothing, and stores
 * nothing of the statement. `chosen`: the columns, if the admin has chosen them.
 * @throws AppError STATEMENT_UNREADABLE, STATEMENT_BROKEN, STATEMENT_TOO_LONG, STATEMENT_EMPTY
 */
export async function compareStatement(
	deps: Deps,
	bytes: Buffer,
	chosen: StatementColumns | null,
): Promise<StatementAnswer> {
	const rows = await readStatementRows(decodeStatement(bytes));
	if (rows.length === 0) throw new AppError('STATEMENT_EMPTY');
	const header = chosen === null ? findNamedHeader(rows) : headerOfChoice(rows, chosen);
	const sample = sampleRowsOf(rows);
	if (header === null) return { state: 'columns', sample, columns: null };
	const book = await getBook(deps, deps.db);
	const preamble = rows.slice(0, Math.min(header.at, preambleRowsMax)).flatMap(({ cells }) => cells);
	// The account's own number is never a payment's reference.
	const isOwn = createAccountMatcher([...preamble, book.bank.accountNumber]);
	const lines = await classifyRows(rows.slice(header.first), header.columns, isOwn);
	const credits = await downgradeFlagged(deps, await matchCredits(deps, lines, book.discountedPaise));
	return {
		state: 'read',
		sample,
		columns: chosen ?? presentColumns(header.columns),
		...(await presentMatches(deps, credits, book.discountedPaise)),
		debits: lines.debits,
		failed: lines.failed,
		unread: lines.unread.length,
		unreadLines: lines.unread.slice(0, unreadShownMax),
	};
}

function findNamedHeader(rows: readonly StatementRow[]) {
	const header = findHeader(rows);
	return header === null ? null : { ...header, first: header.at + 1 };
}

/** Returns the columns chosen by the admin; the other columns are those that the header names. */
function headerOfChoice(rows: readonly StatementRow[], chosen: StatementColumns) {
	const { at, first } = findHeaderAbovePayments(rows, chosen);
	return { at: Math.min(Math.max(at, 0), first), first, columns: columnsOfChoice(chosen, rows[at]?.cells ?? null) };
}

async function classifyRows(rows: StatementRow[], columns: Columns, isOwn: (reference: string) => boolean) {
	const lines = emptyContents();
	await forEachYielding(rows, (row) => addRow(lines, row, columns, isOwn));
	return lines;
}

async function forEachYielding<T>(items: readonly T[], run: (item: T) => void): Promise<void> {
	const yieldRegularly = createTimedYield();
	for (const item of items) {
		run(item);
		await yieldRegularly();
	}
}

/** A credit, and the orders that have one of its references. */
interface Match extends Pick<StatementLine, 'kind' | 'why' | 'reference' | 'references' | 'usedBy'> {
	credit: Credit;
	orders: OrderRow[];
}

async function matchCredits(deps: Deps, { credits, returned }: StatementContents, currentPaise: number) {
	const { ordersByReference, orders, uses } = await findByReferences(deps, credits);
	const known: Array<{ credit: Credit; references: string[]; orders: OrderRow[] }> = [];
	const linesOfOrder = new Map<string, number>();
	const linesOfReference = new Map<string, number>();
	await forEachYielding(credits, (credit) => {
		const references = credit.references.filter((reference) => ordersByReference.has(reference));
		const ids = new Set(references.flatMap((reference) => [...(ordersByReference.get(reference) ?? [])]));
		const found = [...ids].flatMap((id) => orders.get(id) ?? []);
		for (const { id } of found) linesOfOrder.set(id, (linesOfOrder.get(id) ?? 0) + 1);
		for (const reference of credit.references)
			linesOfReference.set(reference, (linesOfReference.get(reference) ?? 0) + 1);
		known.push({ credit, references, orders: found });
	});
	const today = dayOf(isoAt(deps.clock), deps.config.TIME_ZONE);
	const matches: Match[] = [];
	await forEachYielding(known, ({ credit, references, orders: found }) => {
		const isShared = found.some(({ id }) => (linesOfOrder.get(id) ?? 0) > 1);
		const isReturned = references.some((reference) => returned.has(reference));
		const [order] = found;
		const isDayImplausible = order !== undefined && !isPlausibleDay(deps, credit.day, order, today);
		const [use] = credit.references.flatMap((reference) => uses.get(reference) ?? []);
		const claim = { credit, references, orders: found, use, isShared, isReturned, isDayImplausible };
		const verdict = classifyMatch(claim, currentPaise);
		matches.push({
			credit,
			orders: found,
			reference: references[0] ?? '',
			references: references.length > 0 ? references : distinctiveReferences(credit, linesOfReference),
			usedBy: verdict.why === 'used' && use !== undefined ? use.code : null,
			...verdict,
		});
	});
	return matches;
}

/**
 * Returns the references that are recorded when an admin completes an order with this payment: those that no other row
 * has, or else all; of these the ones of a usual form, or else all.
 */
function distinctiveReferences({ references }: Credit, linesOfReference: ReadonlyMap<string, number>): string[] {
	const unshared = references.filter((reference) => linesOfReference.get(reference) === 1);
	const candidates = unshared.length > 0 ? unshared : references;
	const usual = candidates.filter((reference) => !isUnusualUtr(reference));
	return (usual.length > 0 ? usual : candidates).slice(0, limits.statementReferencesPerRowMax);
}

/** Returns whether the payment is not in the future, and at most `daysBeforeOrderMax` days older than its order. */
function isPlausibleDay(deps: Deps, day: string | null, order: OrderRow, today: string): boolean {
	if (day === null) return true;
	const ordered = Date.parse(dayOf(order.created_at, deps.config.TIME_ZONE));
	return day <= today && Date.parse(day) >= ordered - daysBeforeOrderMax * 86_400_000;
}

interface MatchEvidence {
	credit: Credit;
	/** The row's references that orders have too. */
	references: string[];
	orders: OrderRow[];
	/** An earlier use of one of the row's references to complete an order. */
	use: ReferenceUse | undefined;
	isShared: boolean;
	isReturned: boolean;
	isDayImplausible: boolean;
}

/** Classifies a credit. It is `matched` if one row and one order have the reference, the amount is equal, and no check fails. */
function classifyMatch(
	{ credit, references, orders, use, isShared, isReturned, isDayImplausible }: MatchEvidence,
	currentPaise: number,
): Pick<Match, 'kind' | 'why'> {
	const [order] = orders;
	if (order !== undefined && orders.every(({ status }) => status === 'Complete'))
		return { kind: 'complete', why: null };
	if (use !== undefined) return { kind: 'unclear', why: 'used' };
	if (order === undefined) return { kind: 'missing', why: null };
	if (orders.length > 1) return { kind: 'unclear', why: 'several-orders' };
	if (isShared) return { kind: 'unclear', why: 'several-lines' };
	if (isReturned) return { kind: 'unclear', why: 'returned' };
	if (credit.doubt !== null) return { kind: 'unclear', why: credit.doubt };
	if (isReferenceDoubtful(credit.references, references, order)) return { kind: 'unclear', why: 'reference' };
	if (credit.paise !== (order.price_paise ?? currentPaise)) return { kind: 'amount', why: null };
	return isDayImplausible ? { kind: 'unclear', why: 'day' } : { kind: 'matched', why: null };
}

/**
 * Whether the number that row and order share may not be the payment's reference: the row has several different ones, or
 * the shared one has an unusual form or is the buyer's phone number.
 */
function isReferenceDoubtful(all: readonly string[], known: readonly string[], order: OrderRow): boolean {
	const usual = all.filter((reference) => !isUnusualUtr(reference));
	const isOneOfMany = usual.some((one) => usual.some((other) => !one.endsWith(other) && !other.endsWith(one)));
	const phone = order.phone.replace(/\D/gu, '').slice(-10);
	return (
		isOneOfMany ||
		known.every((reference) => isUnusualUtr(reference) || (phone.length === 10 && reference.endsWith(phone)))
	);
}

/** Classifies matches of orders with warnings or duplicate proofs as unclear, so that an admin checks them. */
async function downgradeFlagged(deps: Deps, matches: Match[]): Promise<Match[]> {
	const rows = matches.flatMap(({ kind, orders }) => (kind === 'matched' ? orders : []));
	const flagged = new Set(
		(await presentInBatches(deps, rows))
			.filter(({ oddFields, repeats }) => oddFields.length > 0 || repeats.length > 0)
			.map(({ id }) => id),
	);
	return matches.map((match) => {
		const isFlagged = match.kind === 'matched' && match.orders.some(({ id }) => flagged.has(id));
		return isFlagged ? { ...match, kind: 'unclear', why: 'flagged' } : match;
	});
}

async function findByReferences(deps: Deps, credits: Credit[]) {
	const distinct = new Set<string>();
	await forEachYielding(credits, (credit) => {
		for (const reference of credit.references) distinct.add(reference);
	});
	const references = [...distinct];
	const ordersByReference = new Map<string, Set<string>>();
	const uses = new Map<string, ReferenceUse[]>();
	const addOrder = (reference: string, orderId: string) =>
		ordersByReference.set(reference, (ordersByReference.get(reference) ?? new Set()).add(orderId));
	for (let start = 0; start < references.length; start += keysPerQuery) {
		const batch = references.slice(start, start + keysPerQuery);
		const keys = new Map(batch.map((reference) => [utrLookupKey(deps, reference), reference]));
		for (const { utrKey, orderId } of await queries.listOrdersByUtr(deps.db, [...keys.keys()]))
			addOrder(keys.get(utrKey ?? '') ?? '', orderId);
		for (const [reference, referenceUses] of await findReferenceUses(deps, batch)) {
			uses.set(reference, referenceUses);
			for (const { orderId, isGone } of referenceUses) if (!isGone) addOrder(reference, orderId);
		}
		await yieldToEventLoop();
	}
	const ids = [...new Set([...ordersByReference.values()].flatMap((orderIds) => [...orderIds]))];
	const orders = new Map<string, OrderRow>();
	for (let start = 0; start < ids.length; start += keysPerQuery) {
		for (const order of await queries.findOrders(deps.db, ids.slice(start, start + keysPerQuery)))
			orders.set(order.id, order);
		await yieldToEventLoop();
	}
	return { ordersByReference, orders, uses };
}

async function presentMatches(deps: Deps, matches: Match[], currentPaise: number) {
	const counts = Object.fromEntries(statementKind.options.map((kind) => [kind, 0])) as Record<StatementKind, number>;
	const shown = matches.filter(({ kind }) => {
		counts[kind] += 1;
		return counts[kind] <= limits.statementRowsShownMax;
	});
	const taken = new Set(matches.flatMap(({ orders }) => orders.map(({ id }) => id)));
	const hints = await suggestOrders(
		deps,
		shown.filter(({ kind }) => kind === 'missing').map(({ credit }) => credit),
		{ taken, currentPaise },
	);
	const rows = new Map<string, OrderRow>();
	const lines = shown.map(({ credit, kind, why, reference, references, usedBy, orders }): StatementLine => {
		const hint = hints.get(credit);
		const shownOrders = hint === undefined ? orders.slice(0, ordersPerRowMax) : [hint];
		for (const order of shownOrders) rows.set(order.id, order);
		const { line, day, paise, text } = credit;
		const shownWhy = hint !== undefined && credit.references.length > 0 ? 'other-reference' : why;
		const orderIds = shownOrders.map(({ id }) => id);
		return { line, day, amount: paise / 100, text, kind, why: shownWhy, reference, references, usedBy, orderIds };
	});
	return { lines, orders: await presentInBatches(deps, [...rows.values()]), counts };
}

async function presentInBatches(deps: Deps, rows: OrderRow[]): Promise<Order[]> {
	const orders: Order[] = [];
	for (let start = 0; start < rows.length; start += ordersPerStep) {
		orders.push(...(await presentOrders(deps, rows.slice(start, start + ordersPerStep))));
		await yieldToEventLoop();
	}
	return orders;
}
