import { limits } from '#contract/core/limits.ts';
import {
	type StatementAnswer,
	type StatementColumns,
	type StatementKind,
	type StatementLine,
	statementKinds,
} from '#contract/orders/statement-import.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { getBook } from '../../book/index.ts';
import type { OrderRow } from '../orders.queries.ts';
import { forEachYielding, type Match, matchCredits, presentInBatches } from './credit-matches.ts';
import { suggestOrders } from './order-suggestions.ts';
import { columnsOfChoice, presentColumns } from './statement-columns.ts';
import { addRow, findHeaderAbovePayments, type StatementContents } from './statement-credits.ts';
import { findHeader, readStatementRows, type StatementRow, sampleRowsOf } from './statement-rows.ts';
import { decodeStatement } from './statement-text.ts';
import { createAccountMatcher } from './statement-values.ts';

const unreadShownMax = 50;
/** Maximum number of rows above the header to search for the account number. */
const preambleRowsMax = 100;
/** Maximum number of orders shown per row. */
const ordersPerRowMax = 20;

/**
 * Compares a statement with the orders by classifying every credit. Changes nothing, and stores nothing of the
 * statement. `chosen`: the columns, if the admin has chosen them.
 * @throws AppError STATEMENT_UNREADABLE, STATEMENT_BROKEN, STATEMENT_TOO_LONG, STATEMENT_EMPTY
 */
export async function compareStatement(
	deps: Deps,
	bytes: Buffer,
	chosen: StatementColumns | null,
): Promise<StatementAnswer> {
	const rows = await readStatementRows(decodeStatement(bytes));
	if (rows.length === 0) throw new AppError('STATEMENT_EMPTY');
	const header = chosen === null ? findHeader(rows) : headerOfChoice(rows, chosen);
	const sample = sampleRowsOf(rows);
	if (header === null) return { state: 'columns', sample, columns: null };
	const { discountedPaise, bank } = await getBook(deps, deps.db);
	const preamble = rows.slice(0, Math.min(header.at, preambleRowsMax)).flatMap(({ cells }) => cells);
	// The account's own number is never a payment's reference.
	const isOwn = createAccountMatcher([...preamble, bank.accountNumber]);
	const contents: StatementContents = { credits: [], debits: 0, returned: new Set(), failed: 0, unread: [] };
	await forEachYielding(rows.slice(header.first), (row) => addRow(contents, row, header.columns, isOwn));
	const matches = await matchCredits(deps, contents, discountedPaise);
	return {
		state: 'read',
		sample,
		columns: chosen ?? presentColumns(header.columns),
		...(await presentMatches(deps, matches, discountedPaise)),
		debits: contents.debits,
		failed: contents.failed,
		unread: contents.unread.length,
		unreadLines: contents.unread.slice(0, unreadShownMax),
	};
}

/** Finds the header above the payments. Without a header, the columns have no names. */
function headerOfChoice(rows: readonly StatementRow[], chosen: StatementColumns) {
	const { at, first } = findHeaderAbovePayments(rows, chosen);
	const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
	const names = rows[at]?.cells ?? new Array<string>(width).fill('');
	return { at: Math.min(Math.max(at, 0), first), first, columns: columnsOfChoice(chosen, names) };
}

/** Returns the first rows of each kind with their orders, and the number of rows of each kind. */
async function presentMatches(deps: Deps, matches: Match[], currentPaise: number) {
	const counts = Object.fromEntries(statementKinds.map((kind) => [kind, 0])) as Record<StatementKind, number>;
	const shown = matches.filter(({ kind }) => {
		counts[kind] += 1;
		return counts[kind] <= limits.statementRowsShownMax;
	});
	const missing = shown.filter(({ kind }) => kind === 'missing').map(({ credit }) => credit);
	const matchedIds = new Set(matches.flatMap(({ orders }) => orders.map(({ id }) => id)));
	const suggestions = await suggestOrders(deps, missing, { matchedIds, currentPaise });
	const shownOrders = new Map<string, OrderRow>();
	const lines = shown.map(({ credit, orders, ...match }): StatementLine => {
		const suggestion = suggestions.get(credit);
		const ordersOfRow = suggestion === undefined ? orders.slice(0, ordersPerRowMax) : [suggestion];
		for (const order of ordersOfRow) shownOrders.set(order.id, order);
		const { line, day, paise, text } = credit;
		const why = suggestion !== undefined && credit.references.length > 0 ? 'other-reference' : match.why;
		return { line, day, amount: paise / 100, text, ...match, why, orderIds: ordersOfRow.map(({ id }) => id) };
	});
	return { lines, orders: await presentInBatches(deps, [...shownOrders.values()]), counts };
}
