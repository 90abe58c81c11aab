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

/** Money that came in. */
export interface Credit {
	line: number;
	day: string | null;
	paise: number;
	text: string;
	references: string[];
	/** What speaks against it in the line alone. */
	doubt: Extract<StatementLine['why'], 'direction' | 'returned'> | null;
}

/** What a statement's rows say, each of them counted in one place. */
export interface StatementContents {
	credits: Credit[];
	debits: number;
	/** References of money that went out, back or nowhere: a payment that was given back has that of the one that came. */
	returned: Set<string>;
	/** Payments that came to nothing, or in another currency. */
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

/** The row that names the columns somebody has named too, and where the payments begin; no header: -1. */
export function findHeaderAbovePayments(rows: readonly StatementRow[], { date, amount }: StatementColumns) {
	const isPayment = ({ cells }: StatementRow) =>
		parseDay((cells[date] ?? '').trim()) !== undefined && parseAmount(cells[amount] ?? '') !== undefined;
	const first = rows.findIndex(isPayment);
	const above = rows.slice(0, Math.max(first, 0));
	const at = findHeader(rows)?.at ?? above.findLastIndex(({ cells }) => /\p{L}/u.test(cells[amount] ?? ''));
	return { at, first: first < 0 ? at + 1 : Math.min(first, at < 0 ? first : at + 1) };
}

/** Sorts a row in; what is above the first payment, and no payment, is left out. `isOwn`: references that every statement of the account has. */
export function addRow(
	lines: StatementContents,
	{ line, cells, isTooLong }: StatementRow,
	columns: Columns,
	isOwn: (reference: string) => boolean,
): void {
	const addUnread = () => {
		const text = cells.map((each) => each.trim()).join(' · ');
		lines.unread.push({ line, text: text.slice(0, textLength) });
	};
	if (isTooLong) {
		addUnread();
		return;
	}
	// Apostrophes keep a spreadsheet from taking figures for a number.
	const cell = (place: number | null) => (place === null ? '' : (cells[place] ?? '').trim().replace(/^'|'$/gu, ''));
	const text = columns.texts
		.map(cell)
		.filter((part) => part !== '')
		.join(' · ')
		.slice(0, textLength);
	const day = columns.date === null ? null : parseDay(cell(columns.date));
	const isWide = isWiderThanHeader(cells, columns);
	const money = isWide ? 'unread' : amountOf(cell, columns);
	const hasDay = day !== undefined || (isWide && cells.some((each) => parseDay(each.trim()) !== undefined));
	// A greeting, a header, a line that goes on from the one before.
	if (money === 'none' || (money === 'unread' && !hasDay)) return;
	if (money === 'unread' || day === undefined) {
		addUnread();
		return;
	}
	const status = cell(columns.status)
		.toLowerCase()
		.replace(/[_\s]+/gu, ' ');
	const isFailed = !successWords.test(status) || !rupeeWords.test(cell(columns.currency).toLowerCase());
	const isReversal = mentionsReversal(text) || columns.refunds.some((place) => hasAmount(cell(place)));
	if (isFailed || isReversal || money.direction === 'debit') {
		// What goes back names the payment in whichever column: also beside a reference of its own.
		for (const place of new Set([...columns.references, ...columns.texts]))
			for (const reference of extractReferences(cell(place))) lines.returned.add(reference);
	}
	if (isFailed) lines.failed += 1;
	else if (money.direction === 'debit') lines.debits += 1;
	else {
		const references = [...new Set(columns.references.flatMap((place) => extractReferences(cell(place))))];
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

/** A sign too many moves what stands behind it under the wrong names. */
function isWiderThanHeader(cells: readonly string[], { width }: Columns): boolean {
	return width !== null && cells.slice(width).some((each) => each.trim() !== '');
}

/** What stands in the columns that nobody asked for. */
function cellsOfOtherColumns(cells: readonly string[], columns: Columns): string[] {
	if (columns.others !== null) return columns.others.map((place) => cells[place] ?? '');
	const { date, credit, debit, amount, direction, texts } = columns;
	const read = new Set([date, credit, debit, amount, direction, ...texts]);
	return cells.filter((_, place) => !read.has(place));
}

function amountOf(cell: (place: number | null) => string, columns: Columns) {
	const [came, went] = [columns.credit ?? columns.amount, columns.debit].map((place) =>
		isBlank(cell(place)) ? { paise: 0, direction: null } : parseAmount(cell(place)),
	);
	if (came === undefined || went === undefined || (came.paise > 0 && went.paise > 0)) return 'unread';
	if (came.paise === 0) return went.paise === 0 ? 'none' : { paise: went.paise, direction: 'debit' as const };
	return { paise: came.paise, direction: directionOf(came.direction, cell, columns) };
}

/** Which way an amount went, by its own mark and by the column that is there for it: what speaks against a credit wins. */
function directionOf(
	mark: 'credit' | 'debit' | null,
	cell: (place: number | null) => string,
	{ credit, debit, direction }: Columns,
) {
	if (mark === 'debit') return mark;
	const word = direction === null ? 'credit' : parseDirection(cell(direction));
	if (word === 'debit') return credit !== null && debit !== null ? 'unclear' : word;
	return word === 'unclear' && mark === null && credit === null ? word : 'credit';
}

/** Anything but nothing: also what cannot be read. */
function hasAmount(text: string): boolean {
	return !isBlank(text) && parseAmount(text)?.paise !== 0;
}

/** Without a figure: nothing, a dash. */
function isBlank(text: string): boolean {
	return /^[\s\-–—]*$/u.test(text);
}
