import type { StatementColumns, StatementLine } from '#contract/orders/statement-import.ts';
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
	references: string[];
	/** Reason for doubt that is visible in the row alone. */
	doubt: Extract<StatementLine['why'], 'direction' | 'returned'> | null;
}

/** The classified rows of a statement, each counted once. */
export interface StatementContents {
	credits: Credit[];
	debits: number;
	/** References of debits, returns and failed payments: a returned payment has the reference of the original one. */
	returned: Set<string>;
	/** Number of payments that failed or are in another currency. */
	failed: number;
	unread: Array<{ line: number; text: string }>;
}

const textLength = 300;
const successWords =
	/^(?:|success|successful|succeeded|completed?|captured|paid|settled|processed|credited|received|txn success|ok|payment successful)$/u;
const rupeeWords = /^(?:|inr|rs\.?|₹|rupees?)$/u;

export function emptyContents(): StatementContents {
	return { credits: [], debits: 0, returned: new Set(), failed: 0, unread: [] };
}

/** Finds the header (`at`, -1 if there is none) and the first payment row for the columns chosen by the admin. */
export function findHeaderAbovePayments(rows: readonly StatementRow[], { date, amount }: StatementColumns) {
	const isPayment = ({ cells }: StatementRow) =>
		parseDay((cells[date] ?? '').trim()) !== undefined && parseAmount(cells[amount] ?? '') !== undefined;
	const first = rows.findIndex(isPayment);
	const above = rows.slice(0, Math.max(first, 0));
	const at = findHeader(rows)?.at ?? above.findLastIndex(({ cells }) => /\p{L}/u.test(cells[amount] ?? ''));
	return { at, first: first < 0 ? at + 1 : Math.min(first, at < 0 ? first : at + 1) };
}

/** Classifies a row; skips rows that are no payments. `isOwn`: whether a reference is the account's own number. */
export function addRow(
	lines: StatementContents,
	{ line, cells, isTooLong }: StatementRow,
	columns: Columns,
	isOwn: (reference: string) => boolean,
): void {
	const addUnread = () => {
		const text = cells.map((value) => value.trim()).join(' · ');
		lines.unread.push({ line, text: text.slice(0, textLength) });
	};
	if (isTooLong) {
		addUnread();
		return;
	}
	// Apostrophes make a spreadsheet treat digits as text.
	const cell = (column: number | null) => (column === null ? '' : (cells[column] ?? '').trim().replace(/^'|'$/gu, ''));
	const text = columns.texts
		.map(cell)
		.filter((part) => part !== '')
		.join(' · ')
		.slice(0, textLength);
	const day = columns.date === null ? null : parseDay(cell(columns.date));
	const isWide = isWiderThanHeader(cells, columns);
	const money = isWide ? 'unread' : amountOf(cell, columns);
	const hasDay = day !== undefined || (isWide && cells.some((value) => parseDay(value.trim()) !== undefined));
	// Skips a greeting, a header, or the continuation of the previous row.
	if (money === 'none' || (money === 'unread' && !hasDay)) return;
	if (money === 'unread' || day === undefined) {
		addUnread();
		return;
	}
	const status = cell(columns.status)
		.toLowerCase()
		.replace(/[_\s]+/gu, ' ');
	const isFailed = !successWords.test(status) || !rupeeWords.test(cell(columns.currency).toLowerCase());
	const isReversal = mentionsReversal(text) || columns.refunds.some((column) => hasAmount(cell(column)));
	if (isFailed || isReversal || money.direction === 'debit') {
		// A return may name the original payment in any of these columns, also beside a reference of its own.
		for (const column of new Set([...columns.references, ...columns.texts]))
			for (const reference of extractReferences(cell(column))) lines.returned.add(reference);
	}
	if (isFailed) lines.failed += 1;
	else if (money.direction === 'debit') lines.debits += 1;
	else {
		const references = [...new Set(columns.references.flatMap((column) => extractReferences(cell(column))))];
		const isDoubtful =
			money.direction === 'unclear' || cellsOfOtherColumns(cells, columns).some(mentionsDebitOrFailure);
		lines.credits.push({
			line,
			day,
			paise: money.paise,
			text,
			references: references.filter((each) => !isOwn(each)),
			doubt: isReversal ? 'returned' : isDoubtful ? 'direction' : null,
		});
	}
}

/** Whether a row has more cells than the header: an extra delimiter shifts cells into wrong columns. */
function isWiderThanHeader(cells: readonly string[], { width }: Columns): boolean {
	return width !== null && cells.slice(width).some((value) => value.trim() !== '');
}

function cellsOfOtherColumns(cells: readonly string[], columns: Columns): string[] {
	if (columns.others !== null) return columns.others.map((column) => cells[column] ?? '');
	const { date, credit, debit, amount, direction, texts } = columns;
	const read = new Set([date, credit, debit, amount, direction, ...texts]);
	return cells.filter((_, column) => !read.has(column));
}

function amountOf(cell: (column: number | null) => string, columns: Columns) {
	const [credited, debited] = [columns.credit ?? columns.amount, columns.debit].map((column) =>
		isBlank(cell(column)) ? { paise: 0, direction: null } : parseAmount(cell(column)),
	);
	if (credited === undefined || debited === undefined || (credited.paise > 0 && debited.paise > 0)) return 'unread';
	if (credited.paise === 0) return debited.paise === 0 ? 'none' : { paise: debited.paise, direction: 'debit' as const };
	return { paise: credited.paise, direction: directionOf(credited.direction, cell, columns) };
}

/** Returns the direction by the amount's own mark and the direction column; no credit if they disagree. */
function directionOf(
	mark: 'credit' | 'debit' | null,
	cell: (column: number | null) => string,
	{ credit, debit, direction }: Columns,
) {
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
