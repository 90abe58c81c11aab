import type { Columns } from './statement-columns.ts';
import type { StatementRow } from './statement-rows.ts';
import { readAmount, readDay, readDirection, referencesIn } from './statement-values.ts';

/** Money that came in. */
export interface Credit {
	line: number;
	day: string | null;
	paise: number;
	text: string;
	references: string[];
}

/** What a statement's rows say, each of them counted in one place. */
export interface StatementLines {
	credits: Credit[];
	debits: number;
	/** References of money that went out: a payment that was given back has that of the one that came. */
	returned: Set<string>;
	/** Payments that came to nothing, or in another currency. */
	failed: number;
	unread: Array<{ line: number; text: string }>;
}

const textLength = 300;
const successWords =
	/^(?:|success|successful|succeeded|completed?|captured|paid|settled|processed|credited|received|txn success|ok|payment successful)$/u;
const rupeeWords = /^(?:|inr|rs\.?|₹|rupees?)$/u;

export function emptyLines(): StatementLines {
	return { credits: [], debits: 0, returned: new Set(), failed: 0, unread: [] };
}

/** Sorts a row in; what is above the first payment, and no payment, is left out. `own`: references that every statement of the account has. */
export function addRow(
	lines: StatementLines,
	{ line, cells }: StatementRow,
	columns: Columns,
	own: ReadonlySet<string>,
) {
	// Apostrophes keep a spreadsheet from taking figures for a number.
	const cell = (place: number | null) => (place === null ? '' : (cells[place] ?? '').trim().replace(/^'|'$/gu, ''));
	const text = columns.texts
		.map(cell)
		.filter((part) => part !== '')
		.join(' · ')
		.slice(0, textLength);
	const day = columns.date === null ? null : readDay(cell(columns.date));
	const money = moneyOf(cell, columns);
	// A greeting, a header, a line that goes on from the one before.
	if (money === 'none' || (money === 'unread' && day === undefined)) return;
	if (money === 'unread' || day === undefined) {
		lines.unread.push({
			line,
			text: cells
				.map((each) => each.trim())
				.join(' · ')
				.slice(0, textLength),
		});
		return;
	}
	const status = cell(columns.status)
		.toLowerCase()
		.replace(/[_\s]+/gu, ' ');
	if (!successWords.test(status) || !rupeeWords.test(cell(columns.currency).toLowerCase())) {
		lines.failed += 1;
		return;
	}
	const references = [...new Set(columns.references.flatMap((place) => referencesIn(cell(place))))];
	if (money.direction === 'debit') {
		lines.debits += 1;
		for (const reference of references) lines.returned.add(reference);
		return;
	}
	lines.credits.push({ line, day, paise: money.paise, text, references: references.filter((each) => !own.has(each)) });
}

function moneyOf(cell: (place: number | null) => string, columns: Columns) {
	if (columns.credit === null) {
		if (isBlank(cell(columns.amount))) return 'none';
		const amount = readAmount(cell(columns.amount));
		if (amount === undefined) return 'unread';
		if (amount.paise === 0) return 'none';
		return { paise: amount.paise, direction: amount.direction ?? readDirection(cell(columns.direction)) ?? 'credit' };
	}
	const [credit, debit] = [columns.credit, columns.debit].map((place) =>
		isBlank(cell(place)) ? { paise: 0, direction: null } : readAmount(cell(place)),
	);
	if (credit === undefined || debit === undefined || (credit.paise > 0 && debit.paise > 0)) return 'unread';
	if (credit.paise === 0) return debit.paise === 0 ? 'none' : { paise: debit.paise, direction: 'debit' as const };
	return { paise: credit.paise, direction: credit.direction ?? ('credit' as const) };
}

/** Without a figure: nothing, a dash. */
function isBlank(text: string): boolean {
	return /^[\s\-–—]*$/u.test(text);
}
