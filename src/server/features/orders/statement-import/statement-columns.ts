import type { StatementColumns } from '#contract/orders/statement-import.ts';
import { type ColumnRole, columnNames as names } from './statement-column-names.ts';

/** Where what stands in a statement's rows: places counted from 0; null: there is no such column. */
export interface Columns {
	date: number | null;
	/** What came in, and what went out, each in a column of its own. */
	credit: number | null;
	debit: number | null;
	/** Both in one. */
	amount: number | null;
	/** Which of the two it is. */
	direction: number | null;
	status: number | null;
	currency: number | null;
	/** What of it went back. */
	refunds: number[];
	/** What is said of the payment, to be read. */
	texts: number[];
	/** Where references are looked for. */
	references: number[];
	/** What nobody asked for, and may speak against a payment all the same; null: every other column. */
	others: number[] | null;
	/** How many there are; null where no header tells. */
	width: number | null;
}

const feeNames = new Set(['fee', 'fees', 'commission', 'mdr']);

/** How a column's name counts: its letters, without the currency that its figures are in. */
export function normalizeColumnName(cell: string): string {
	return cell
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.replace(/\b(?:in )?(?:inr|rs|rupees)\b/gu, ' ')
		.replace(/\s+/gu, ' ')
		.trim();
}

/** What the cells of a header say; null where it is none, or lacks the amount or what it was for. */
export function columnsOfHeader(header: readonly string[]): Columns | null {
	const columns = namedColumnsOf(header);
	return (columns.credit === null && columns.amount === null) || columns.references.length === 0 ? null : columns;
}

/** The columns whose names are known. */
function namedColumnsOf(header: readonly string[]): Columns {
	const plain = header.map(normalizeColumnName);
	const find = (role: ColumnRole) => {
		const known = names[role].find((name) => plain.includes(name));
		return known === undefined ? null : plain.indexOf(known);
	};
	const all = (...roles: ColumnRole[]) =>
		roles.flatMap((role) => plain.flatMap((name, at) => (names[role].includes(name) ? [at] : [])));
	const amount = find('amount');
	// Beside a fee the credit is what was left of a payment.
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
		// A column of its own for the reference is believed alone: free text names accounts, phones and times too.
		references: utrs.length > 0 ? utrs : all('reference', 'text'),
	};
	return { ...columns, others: otherColumnsOf(columns, plain), width: header.length };
}

/** What is neither read nor a balance, nor says which of the two a balance is. */
function otherColumnsOf(read: Omit<Columns, 'others' | 'width'>, plain: readonly string[]): number[] {
	const known = new Set(Object.values(read).flat());
	const isBalance = (name = '') => names.balance.includes(name);
	return plain.flatMap((name, at) => {
		const isOfBalance = isBalance(name) || (names.direction.includes(name) && isBalance(plain[at - 1]));
		return known.has(at) || isOfBalance ? [] : [at];
	});
}

/** The columns that somebody has named; `header`: the row above the payments, whose other names stay what they are. */
export function columnsOfChoice(chosen: StatementColumns, header: readonly string[] | null): Columns {
	const known = namedColumnsOf(header ?? []);
	const own = header === null ? null : presentColumns(known);
	// Nothing else was named than what the header says.
	if (own !== null && isSame(own, chosen)) return known;
	const { date, amount, text } = chosen;
	const isSide = known.debit !== null;
	const columns = {
		date,
		// What is called a debit is none that came in, whoever names it so.
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
	const isIt = (name: 'date' | 'amount' | 'text') => one[name] === other[name];
	return isIt('date') && isIt('amount') && isIt('text') && [one.direction, undefined].includes(other.direction);
}

/** The same for whoever may name them otherwise; null where one is missing. */
export function presentColumns({ date, credit, amount, direction, references }: Columns): StatementColumns | null {
	const money = credit ?? amount;
	const [text] = references;
	if (date === null || money === null || text === undefined) return null;
	return { date, amount: money, text, ...(direction !== null && { direction }) };
}
