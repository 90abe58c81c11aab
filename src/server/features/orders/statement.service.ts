import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import {
	type StatementAnswer,
	type StatementColumns,
	type StatementKind,
	type StatementLine,
	statementKind,
} from '#contract/orders/statement.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { letOthers, turnsByTime } from '../../platform/turns.ts';
import { getBook } from '../settings/settings.service.ts';
import { isOddUtr } from './odd-fields.ts';
import { presentOrders } from './orders.presenting.ts';
import type { OrderRow } from './orders.queries.ts';
import { utrKeyOf } from './proof-marks.service.ts';
import * as queries from './statement.queries.ts';
import { type Columns, columnsFrom, presentColumns } from './statement-columns.ts';
import { suggestOrders } from './statement-hints.ts';
import { addRow, type Credit, emptyLines, headerAbove, type StatementLines } from './statement-lines.ts';
import { findHeader, readStatementRows, type StatementRow, sampleOf } from './statement-rows.ts';
import { readStatementText } from './statement-text.ts';
import { accountsIn } from './statement-values.ts';
import { findUses, type Use } from './used-references.service.ts';

const keysPerQuery = 200;
const ordersPerStep = 50;
const unreadShown = 50;
/** Rows above the payments that may name the account. */
const preambleMost = 100;
/** Of one line: somebody's reference under more orders than anybody looks through. */
const ordersOfLine = 20;
/** Days that a payment may be older than its order: people pay first, and fill in the form after a weekend. */
const daysBefore = 3;

/**
 * Compares a statement with the orders: every credit is told by what is known of its reference. Nothing is changed, and
 * nothing of the statement is kept. `chosen`: its columns, where somebody has named them.
 * @throws AppError STATEMENT_UNREADABLE, STATEMENT_BROKEN, STATEMENT_TOO_LONG, STATEMENT_EMPTY
 */
export async function readStatement(
	deps: Deps,
	bytes: Buffer,
	chosen: StatementColumns | null,
): Promise<StatementAnswer> {
	const rows = await readStatementRows(readStatementText(bytes));
	if (rows.length === 0) throw new AppError('STATEMENT_EMPTY');
	const header = chosen === null ? findNamed(rows) : headerOf(rows, chosen);
	const sample = sampleOf(rows);
	if (header === null) return { state: 'columns', sample, columns: null };
	const book = await getBook(deps, deps.db);
	const preamble = rows.slice(0, Math.min(header.at, preambleMost)).flatMap(({ cells }) => cells);
	// The account's own number is no payment's, whoever gave it for one.
	const isOwn = accountsIn([...preamble, book.bank.accountNumber]);
	const lines = await sortRows(rows.slice(header.first), header.columns, isOwn);
	const credits = await doubtFlagged(deps, await matchCredits(deps, lines, book.discountedPaise));
	return {
		state: 'read',
		sample,
		columns: chosen ?? presentColumns(header.columns),
		...(await presentMatches(deps, credits, book.discountedPaise)),
		debits: lines.debits,
		failed: lines.failed,
		unread: lines.unread.length,
		unreadLines: lines.unread.slice(0, unreadShown),
	};
}

function findNamed(rows: readonly StatementRow[]) {
	const header = findHeader(rows);
	return header === null ? null : { ...header, first: header.at + 1 };
}

/** The columns that somebody has named, beside those that the file names itself. */
function headerOf(rows: readonly StatementRow[], chosen: StatementColumns) {
	const { at, first } = headerAbove(rows, chosen);
	return { at: Math.min(Math.max(at, 0), first), first, columns: columnsFrom(chosen, rows[at]?.cells ?? null) };
}

async function sortRows(
	rows: StatementRow[],
	columns: Columns,
	isOwn: (reference: string) => boolean,
): Promise<StatementLines> {
	const lines = emptyLines();
	await inSteps(rows, (row) => addRow(lines, row, columns, isOwn));
	return lines;
}

async function inSteps<T>(items: readonly T[], run: (item: T) => void): Promise<void> {
	const turn = turnsByTime();
	for (const item of items) {
		run(item);
		await turn();
	}
}

/** A credit, and the orders that have one of its references. */
export interface Match extends Pick<StatementLine, 'kind' | 'why' | 'reference' | 'references' | 'usedBy'> {
	credit: Credit;
	orders: OrderRow[];
}

async function matchCredits(deps: Deps, { credits, returned }: StatementLines, currentPaise: number) {
	const { ordersByReference, orders, uses } = await findByReferences(deps, credits);
	const known: Array<{ credit: Credit; references: string[]; orders: OrderRow[] }> = [];
	const linesOfOrder = new Map<string, number>();
	const linesOfReference = new Map<string, number>();
	await inSteps(credits, (credit) => {
		const references = credit.references.filter((each) => ordersByReference.has(each));
		const ids = new Set(references.flatMap((each) => [...(ordersByReference.get(each) ?? [])]));
		const found = [...ids].flatMap((id) => orders.get(id) ?? []);
		for (const { id } of found) linesOfOrder.set(id, (linesOfOrder.get(id) ?? 0) + 1);
		for (const each of credit.references) linesOfReference.set(each, (linesOfReference.get(each) ?? 0) + 1);
		known.push({ credit, references, orders: found });
	});
	const today = dayOf(isoAt(deps.clock), deps.config.TIME_ZONE);
	const matches: Match[] = [];
	await inSteps(known, ({ credit, references, orders: found }) => {
		const isShared = found.some(({ id }) => (linesOfOrder.get(id) ?? 0) > 1);
		const isReturned = references.some((each) => returned.has(each));
		const [order] = found;
		const isDayOdd = order !== undefined && !isDayFit(deps, credit.day, order, today);
		const [use] = credit.references.flatMap((each) => uses.get(each) ?? []);
		const claim = { credit, references, orders: found, use, isShared, isReturned, isDayOdd };
		const verdict = judge(claim, currentPaise);
		matches.push({
			credit,
			orders: found,
			reference: references[0] ?? '',
			references: references.length > 0 ? references : ownReferences(credit, linesOfReference),
			usedBy: verdict.why === 'used' && use !== undefined ? use.code : null,
			...verdict,
		});
	});
	return matches;
}

/** What a payment is known by where no order has it: nothing that stands in other lines too, and of usual references those alone. */
function ownReferences({ references }: Credit, linesOfReference: ReadonlyMap<string, number>): string[] {
	const own = references.filter((each) => linesOfReference.get(each) === 1);
	const some = own.length > 0 ? own : references;
	const usual = some.filter((each) => !isOddUtr(each));
	return (usual.length > 0 ? usual : some).slice(0, limits.statementReferencesMax);
}

/** A payment of today or before, and of some days before its order at most. */
function isDayFit(deps: Deps, day: string | null, order: OrderRow, today: string): boolean {
	if (day === null) return true;
	const ordered = Date.parse(dayOf(order.created_at, deps.config.TIME_ZONE));
	return day <= today && Date.parse(day) >= ordered - daysBefore * 86_400_000;
}

interface Claim {
	credit: Credit;
	/** Those of the line's that orders have. */
	references: string[];
	orders: OrderRow[];
	/** The order that one of the line's references has completed. */
	use: Use | undefined;
	isShared: boolean;
	isReturned: boolean;
	isDayOdd: boolean;
}

/** Only one line and one order that know nothing of others are ever a match: the rest is for people to look at. */
function judge(
	{ credit, references, orders, use, isShared, isReturned, isDayOdd }: Claim,
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
	if (isReferenceOdd(credit.references, references, order)) return { kind: 'unclear', why: 'reference' };
	if (credit.paise !== (order.price_paise ?? currentPaise)) return { kind: 'amount', why: null };
	return isDayOdd ? { kind: 'unclear', why: 'day' } : { kind: 'matched', why: null };
}

/** Whether what the order has may be something else of the line's: a phone, an account, a number of a form that payments have not. */
function isReferenceOdd(all: readonly string[], known: readonly string[], order: OrderRow): boolean {
	const usual = all.filter((each) => !isOddUtr(each));
	const isOneOfMany = usual.some((one) => usual.some((other) => !one.endsWith(other) && !other.endsWith(one)));
	const phone = order.phone.replace(/\D/gu, '').slice(-10);
	return isOneOfMany || known.every((each) => isOddUtr(each) || (phone.length === 10 && each.endsWith(phone)));
}

/** What the desk marks on an order, an owner looks at before it is Complete. */
async function doubtFlagged(deps: Deps, matches: Match[]): Promise<Match[]> {
	const rows = matches.flatMap(({ kind, orders }) => (kind === 'matched' ? orders : []));
	const flagged = new Set(
		(await presentInSteps(deps, rows))
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
	await inSteps(credits, (credit) => {
		for (const reference of credit.references) distinct.add(reference);
	});
	const references = [...distinct];
	const ordersByReference = new Map<string, Set<string>>();
	const uses = new Map<string, Use[]>();
	const addOrder = (reference: string, orderId: string) =>
		ordersByReference.set(reference, (ordersByReference.get(reference) ?? new Set()).add(orderId));
	for (let start = 0; start < references.length; start += keysPerQuery) {
		const some = references.slice(start, start + keysPerQuery);
		const keys = new Map(some.map((each) => [utrKeyOf(deps, each), each]));
		for (const { utrKey, orderId } of await queries.listOrdersByUtr(deps.db, [...keys.keys()]))
			addOrder(keys.get(utrKey ?? '') ?? '', orderId);
		for (const [reference, found] of await findUses(deps, some)) {
			uses.set(reference, found);
			for (const { orderId, isGone } of found) if (!isGone) addOrder(reference, orderId);
		}
		await letOthers();
	}
	const ids = [...new Set([...ordersByReference.values()].flatMap((found) => [...found]))];
	const orders = new Map<string, OrderRow>();
	for (let start = 0; start < ids.length; start += keysPerQuery) {
		for (const order of await queries.findOrders(deps.db, ids.slice(start, start + keysPerQuery)))
			orders.set(order.id, order);
		await letOthers();
	}
	return { ordersByReference, orders, uses };
}

async function presentMatches(deps: Deps, matches: Match[], currentPaise: number) {
	const counts = Object.fromEntries(statementKind.options.map((kind) => [kind, 0])) as Record<StatementKind, number>;
	const shown = matches.filter(({ kind }) => {
		counts[kind] += 1;
		return counts[kind] <= limits.statementShownMax;
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
		const found = hint === undefined ? orders.slice(0, ordersOfLine) : [hint];
		for (const order of found) rows.set(order.id, order);
		const { line, day, paise, text } = credit;
		const told = hint !== undefined && credit.references.length > 0 ? 'other-reference' : why;
		const orderIds = found.map(({ id }) => id);
		return { line, day, amount: paise / 100, text, kind, why: told, reference, references, usedBy, orderIds };
	});
	return { lines, orders: await presentInSteps(deps, [...rows.values()]), counts };
}

async function presentInSteps(deps: Deps, rows: OrderRow[]): Promise<Order[]> {
	const orders: Order[] = [];
	for (let start = 0; start < rows.length; start += ordersPerStep) {
		orders.push(...(await presentOrders(deps, rows.slice(start, start + ordersPerStep))));
		await letOthers();
	}
	return orders;
}
