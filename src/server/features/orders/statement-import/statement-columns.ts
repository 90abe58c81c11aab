import type { StatementColumns } from '#contract/orders/statement-import.ts';
import { type ColumnRole, columnNames as names, normalizeColumnName } from './statement-column-names.ts';

/** The columns of a statement's rows, as indexes from 0; null where there is no such column. */
export interface Columns {
	date: number | null;
	/** Credits and debits, if each has a column of its own. */
	credit: number | null;
	debit: number | null;
	/** Credits and debits in one column. */
	amount: number | null;
	/** Whether the amount is a credit or a debit. */
	direction: number | null;
	status: number | null;
	currency: number | null;
	refunds: number[];
	texts: number[];
	/** Columns that are searched for references. */
	references: number[];
	/** Unused columns that may contradict a payment; null for all unused columns. */
	others: number[] | null;
	/** Number of columns; null without a header. */
	width: number | null;
}

const feeNames = new Set(['fee', 'fees', 'commission', 'mdr']);

/** Returns the columns that a header row names; null without an amount or a reference. */
export function columnsOfHeader(header: readonly string[]): Columns | null {
	const columns = namedColumnsOf(header);
	return (columns.credit === null && columns.amount === null) || columns.references.length === 0 ? null : columns;
}

function namedColumnsOf(header: readonly string[]): Columns {
	const plain = header.map(normalizeColumnName);
	const find = (role: ColumnRole) => {
		const known = names[role].find((name) => plain.includes(name));
		return known === undefined ? null : plain.indexOf(known);
	};
	const all = (...roles: ColumnRole[]) =>
		roles.flatMap((role) => plain.flatMap((name, at) => (names[role].includes(name) ? [at] : [])));
	const amount = find('amount');
	// Next to a fee column, the credit is the rest of the payment after the fee.
	const credit = amount !== null && plain.some((name) => feeNames.has(name)) ? null : find('credit');
	const utrs = all('utr');
	const columns = {
		date: find('date'),
		credit,
		debit: find('debit'),
		amount: credit === null ? amount : null,
		direction: find('direction'),
		status: find('status'),
		currency: find('currency'),
		refunds: all('refund'),
		texts: all('text', 'person', 'utr', 'reference'),
		// If there is a dedicated reference column, only that is searched: free text contains accounts, phones and times
		// too.
		references: utrs.length > 0 ? utrs : all('reference', 'text'),
	};
	return { ...columns, others: otherColumnsOf(columns, plain), width: header.length };
}

/** Returns the columns that are not used, except balances and their direction columns. */
function otherColumnsOf(read: Omit<Columns, 'others' | 'width'>, plain: readonly string[]): number[] {
	const known = new Set(Object.values(read).flat());
	const isBalance = (name = '') => names.balance.includes(name);
	return plain.flatMap((name, at) => {
		const isOfBalance = isBalance(name) || (names.direction.includes(name) && isBalance(plain[at - 1]));
		return known.has(at) || isOfBalance ? [] : [at];
	});
}

/** Returns the columns chosen by the admin. `header`: the row above the payments, which names the remaining columns. */
export function columnsOfChoice(chosen: StatementColumns, header: readonly string[] | null): Columns {
	const known = namedColumnsOf(header ?? []);
	const namedChoice = header === null ? null : presentColumns(known);
	// The admin chose the columns that the header names.
	if (namedChoice !== null && isSame(namedChoice, chosen)) return known;
	const { date, amount, text } = chosen;
	const isSide = known.debit !== null;
	const columns = {
		date,
		// A column called debit is never a credit, even if the admin names it so.
		credit: amount === known.debit ? known.credit : isSide ? amount : null,
		debit: known.debit,
		amount: isSide ? null : amount,
		direction: chosen.direction ?? known.direction,
		status: known.status,
		currency: known.currency,
		refunds: known.refunds,
		texts: [...new Set([text, ...known.texts])],
		references: [text],
	};
	const others = header === null ? null : otherColumnsOf(columns, header.map(normalizeColumnName));
	return { ...columns, others, width: header?.length ?? null };
}

function isSame(one: StatementColumns, other: StatementColumns): boolean {
	const isSameColumn = (name: 'date' | 'amount' | 'text') => one[name] === other[name];
	return (
		isSameColumn('date') &&
		isSameColumn('amount') &&
		isSameColumn('text') &&
		[one.direction, undefined].includes(other.direction)
	);
}

/** Returns the columns as the admin can choose them; null where a required one is missing. */
export function presentColumns({ date, credit, amount, direction, references }: Columns): StatementColumns | null {
	const money = credit ?? amount;
	const [text] = references;
	if (date === null || money === null || text === undefined) return null;
	return { date, amount: money, text, ...(direction !== null && { direction }) };
}
