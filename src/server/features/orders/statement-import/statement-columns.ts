import { isDeepStrictEqual } from 'node:util';
import type { StatementColumns } from '#contract/orders/statement-import.ts';
import { type ColumnRole, columnNames, normalizeColumnName } from './statement-column-names.ts';

/** The columns of a statement's rows, as indexes from 0; null if the statement has no such column. */
export interface Columns {
	date: number | null;
	/** Credits and debits, if they have separate columns. */
	credit: number | null;
	debit: number | null;
	/** Credits and debits in one column. */
	amount: number | null;
	/** Shows whether the amount is a credit or a debit. */
	direction: number | null;
	status: number | null;
	currency: number | null;
	refunds: number[];
	texts: number[];
	/** Columns that are searched for references. */
	references: number[];
	/** Other columns. Their text may show that a row is not a received payment. */
	others: number[];
	width: number;
}

type UsedColumns = Omit<Columns, 'others' | 'width'>;

const feeNames = new Set(['fee', 'fees', 'commission', 'mdr']);

/** Returns the columns of a header row; null if the row names no amount column or no reference column. */
export function columnsOfHeader(header: readonly string[]): Columns | null {
	const columns = usedColumnsOf(header);
	if ((columns.credit === null && columns.amount === null) || columns.references.length === 0) return null;
	return { ...columns, others: otherColumnsOf(columns, header), width: header.length };
}

function usedColumnsOf(header: readonly string[]): UsedColumns {
	const headerNames = header.map(normalizeColumnName);
	const findColumn = (role: ColumnRole) => {
		const name = columnNames[role].find((knownName) => headerNames.includes(knownName));
		return name === undefined ? null : headerNames.indexOf(name);
	};
	const listColumns = (...roles: ColumnRole[]) =>
		roles.flatMap((role) => headerNames.flatMap((name, column) => (columnNames[role].includes(name) ? [column] : [])));
	const amount = findColumn('amount');
	// If there is a fee column, the credit is the payment minus the fee, so the amount is used.
	const credit = amount !== null && headerNames.some((name) => feeNames.has(name)) ? null : findColumn('credit');
	const utrs = listColumns('utr');
	return {
		date: findColumn('date'),
		credit,
		debit: findColumn('debit'),
		amount: credit === null ? amount : null,
		direction: findColumn('direction'),
		status: findColumn('status'),
		currency: findColumn('currency'),
		refunds: listColumns('refund'),
		texts: listColumns('text', 'person', 'utr', 'reference'),
		// A dedicated reference column is searched alone, because free text also has account and phone numbers and times.
		references: utrs.length > 0 ? utrs : listColumns('reference', 'text'),
	};
}

/** Returns the columns that are not used, except balances and the direction columns of balances. */
function otherColumnsOf(columns: UsedColumns, header: readonly string[]): number[] {
	const used = new Set(Object.values(columns).flat());
	const headerNames = header.map(normalizeColumnName);
	const isBalance = (name = '') => columnNames.balance.includes(name);
	return headerNames.flatMap((name, column) => {
		const isDirectionOfBalance = columnNames.direction.includes(name) && isBalance(headerNames[column - 1]);
		return used.has(column) || isBalance(name) || isDirectionOfBalance ? [] : [column];
	});
}

/** Returns the columns chosen by the admin; the header determines the other columns. */
export function columnsOfChoice(chosen: StatementColumns, header: readonly string[]): Columns {
	const named = usedColumnsOf(header);
	const namedChoice = presentColumns(named);
	const isNamed = namedChoice !== null && isDeepStrictEqual({ ...namedChoice, ...chosen }, namedChoice);
	const columns = isNamed ? named : replaceChosenColumns(named, chosen);
	return { ...columns, others: otherColumnsOf(columns, header), width: header.length };
}

function replaceChosenColumns(named: UsedColumns, { date, amount, text, direction }: StatementColumns): UsedColumns {
	const hasDebitColumn = named.debit !== null;
	const credit = hasDebitColumn ? amount : null;
	return {
		...named,
		date,
		// A column called debit is never a credit, even if the admin chooses it.
		credit: amount === named.debit ? named.credit : credit,
		amount: hasDebitColumn ? null : amount,
		direction: direction ?? named.direction,
		texts: [...new Set([text, ...named.texts])],
		references: [text],
	};
}

/** Returns the columns as the admin can choose them; null if a required column is missing. */
export function presentColumns({
	date,
	credit,
	amount,
	direction,
	references: [text],
}: UsedColumns): StatementColumns | null {
	const money = credit ?? amount;
	if (date === null || money === null || text === undefined) return null;
	return { date, amount: money, text, ...(direction !== null && { direction }) };
}
