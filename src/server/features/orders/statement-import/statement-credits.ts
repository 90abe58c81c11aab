import type { StatementColumns, StatementDoubt } from '#contract/orders/statement-import.ts';
import type { Columns } from './statement-columns.ts';
import { findHeader, type StatementRow } from './statement-rows.ts';
import {
	extractReferences,
	mentionsDebitOrFailure,
	mentionsReversal,
	parseAmount,
	parseDay,
	parseDirection,
} from './statement-values.ts';

export interface Credit {
	line: number;
	day: string | null;
	paise: number;
	text: string;
	/** At most `referencesMax`, the first of the row; its other references are ignored. */
	references: string[];
	/** Reason in the row itself to doubt that this is a received payment; null without one. */
	doubt: Extract<StatementDoubt, 'direction' | 'returned'> | null;
}

/** The payments of a statement. Each row with a payment counts as a credit, debit, failed or unread row. */
export interface StatementContents {
	credits: Credit[];
	debits: number;
	/** References of debits, returns and failed payments. A return has the reference of the original payment. */
	returned: Set<string>;
	failed: number;
	unread: Array<{ line: number; text: string }>;
}

const textMaxLength = 300;
/** Maximum number of references of a row that are searched for in the orders. Rows of banks have up to three. */
const referencesMax = 10;
const successWords =
	/^(?:|success|successful|succeeded|completed?|captured|paid|settled|processed|credited|received|txn success|ok|payment successful)$/u;
const rupeeWords = /^(?:|inr|rs\.?|₹|rupees?)$/u;

/** Finds the header (`at`, -1 if there is none) and the first row of payments (`first`) in the chosen columns. */
export function findHeaderAbovePayments(rows: readonly StatementRow[], { date, amount }: StatementColumns) {
	const firstPayment = rows.findIndex(
		({ cells }) => parseDay((cells[date] ?? '').trim()) !== undefined && parseAmount(cells[amount] ?? '') !== undefined,
	);
	const rowsAbove = rows.slice(0, Math.max(firstPayment, 0));
	const at = findHeader(rows)?.at ?? rowsAbove.findLastIndex(({ cells }) => /\p{L}/u.test(cells[amount] ?? ''));
	if (firstPayment < 0) return { at, first: at + 1 };
	return { at, first: at < 0 ? firstPayment : Math.min(firstPayment, at + 1) };
}

/** Adds a row to the contents; skips a row that is no payment. `isOwn`: whether a reference is the account's number. */
export function addRow(
	contents: StatementContents,
	{ line, cells, isTooLong }: StatementRow,
	columns: Columns,
	isOwn: (reference: string) => boolean,
): void {
	const cell = createCellReader(cells);
	const payment = isTooLong ? 'unreadable' : readPayment(cells, cell, columns);
	if (payment === 'none') return;
	if (payment === 'unreadable') {
		const text = cells.map((value) => value.trim()).join(' · ');
		contents.unread.push({ line, text: text.slice(0, textMaxLength) });
		return;
	}
	const { day, paise, direction } = payment;
	const textParts = columns.texts.map(cell).filter((part) => part !== '');
	const text = textParts.join(' · ').slice(0, textMaxLength);
	const status = cell(columns.status)
		.toLowerCase()
		.replace(/[_\s]+/gu, ' ');
	const isFailed = !successWords.test(status) || !rupeeWords.test(cell(columns.currency).toLowerCase());
	const isReversal = mentionsReversal(text) || columns.refunds.some((column) => hasAmount(cell(column)));
	if (isFailed || isReversal || direction === 'debit') {
		// A return may have the original payment's reference in any of these columns.
		for (const column of new Set([...columns.references, ...columns.texts]))
			for (const reference of extractReferences(cell(column))) contents.returned.add(reference);
	}
	if (isFailed) contents.failed += 1;
	else if (direction === 'debit') contents.debits += 1;
	else {
		const references = new Set(columns.references.flatMap((column) => extractReferences(cell(column))));
		const isContradicted = columns.others.some((column) => mentionsDebitOrFailure(cells[column] ?? ''));
		contents.credits.push({
			line,
			day,
			paise,
			text,
			references: [...references].filter((reference) => !isOwn(reference)).slice(0, referencesMax),
			doubt: isReversal ? 'returned' : isContradicted || direction === 'unclear' ? 'direction' : null,
		});
	}
}

type CellReader = (column: number | null) => string;

function createCellReader(cells: readonly string[]): CellReader {
	// Removes apostrophes, which make a spreadsheet treat digits as text.
	return (column) => (column === null ? '' : (cells[column] ?? '').trim().replace(/^'|'$/gu, ''));
}

/** Reads the payment in a row. @returns `none` for a greeting, a header or the continuation of the previous row */
function readPayment(cells: readonly string[], cell: CellReader, columns: Columns) {
	const day = columns.date === null ? null : parseDay(cell(columns.date));
	// An extra delimiter shifts cells into wrong columns.
	const isWiderThanHeader = cells.slice(columns.width).some((value) => value.trim() !== '');
	const money = isWiderThanHeader ? 'unreadable' : readMoney(cell, columns);
	if (money === 'none') return money;
	if (money !== 'unreadable') return day === undefined ? 'unreadable' : { day, ...money };
	const hasDay = isWiderThanHeader && cells.some((value) => parseDay(value.trim()) !== undefined);
	return day !== undefined || hasDay ? 'unreadable' : 'none';
}

function readMoney(cell: CellReader, columns: Columns) {
	const [credited, debited] = [columns.credit ?? columns.amount, columns.debit].map((column) =>
		isBlank(cell(column)) ? { paise: 0, direction: null } : parseAmount(cell(column)),
	);
	if (credited === undefined || debited === undefined || (credited.paise > 0 && debited.paise > 0)) return 'unreadable';
	if (credited.paise > 0) return { paise: credited.paise, direction: directionOf(credited.direction, cell, columns) };
	return debited.paise > 0 ? { paise: debited.paise, direction: 'debit' as const } : 'none';
}

/** Returns the direction by the amount's mark and the direction column. If one of them says debit, it is no credit. */
function directionOf(mark: 'credit' | 'debit' | null, cell: CellReader, { credit, debit, direction }: Columns) {
	if (mark === 'debit') return mark;
	const word = direction === null ? 'credit' : parseDirection(cell(direction));
	if (word === 'debit') return credit !== null && debit !== null ? 'unclear' : word;
	return word === 'unclear' && mark === null && credit === null ? word : 'credit';
}

/** Returns whether a cell has an amount other than zero, or text that cannot be parsed. */
function hasAmount(text: string): boolean {
	return !isBlank(text) && parseAmount(text)?.paise !== 0;
}

function isBlank(text: string): boolean {
	return /^[\s\-–—]*$/u.test(text);
}
