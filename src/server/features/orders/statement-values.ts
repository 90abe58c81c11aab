import { plainUtr } from './odd-fields.ts';

/** A sum of money as a statement writes it. */
export interface StatementAmount {
	/** Whole paise, never below zero. */
	paise: number;
	/** What its sign or its mark says; null without one. */
	direction: 'credit' | 'debit' | null;
}

const creditWords = /^(?:cr|c|credit|credited|deposit|received|payment|sale|paid in|money in)$/u;
const debitWords =
	/^(?:dr|d|debit|debited|withdrawal|refund|payout|paid|sent|paid out|money out|chargeback|reversal|fee|settlement)$/u;

/** Which way money went, in the words of a column for it; null for any other word (UPI, NEFT, ...). */
export function readDirection(text: string): 'credit' | 'debit' | null {
	const word = text.trim().toLowerCase().replace(/[._]/gu, ' ').trim();
	if (creditWords.test(word)) return 'credit';
	return debitWords.test(word) ? 'debit' : null;
}

const whole = /^(?:\d{1,12}|\d{1,3}(?:,\d{2,3})*,\d{3})$/u;

/**
 * An amount to the paisa: 499, 1,00,499.50, ₹ 499.00 Cr, (499.00), -499, 499,50. Nothing is rounded.
 * @returns undefined for what is no amount
 */
export function readAmount(text: string): StatementAmount | undefined {
	const plain = text
		.normalize('NFKC')
		.replace(/[\s'"=`]|₹|\bINR\b|\bRs\b\.?/giu, '')
		.replace(/^(?:INR|Rs\.?)/iu, '');
	const parts = /^(?:(Cr|Dr)\.?)?([-+(]?)([\d.,]+)([-)]?)(?:(Cr|Dr)\.?)?$/iu.exec(plain);
	if (parts === null) return undefined;
	const [, before = '', sign = '', figures = '', after = '', behind = ''] = parts;
	if ((sign === '(') !== (after === ')')) return undefined;
	const paise = paiseOf(figures);
	if (paise === undefined) return undefined;
	const isNegative = sign === '-' || sign === '(' || after === '-';
	const mark = (before || behind).toLowerCase();
	if (mark === '') return { paise, direction: isNegative ? 'debit' : sign === '+' ? 'credit' : null };
	return { paise, direction: (mark === 'cr') === isNegative ? 'debit' : 'credit' };
}

function paiseOf(figures: string): number | undefined {
	// A comma before the last two figures is a decimal sign: groups end with three.
	const isComma = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{2}$/u.test(figures);
	const usual = isComma ? figures.replaceAll('.', '').replace(',', '.') : figures;
	const [rupees = '', part = '', ...more] = usual.split('.');
	if (more.length > 0 || !/^\d*$/u.test(part) || /[^0]/u.test(part.slice(2))) return undefined;
	if (rupees === '' ? part === '' : !whole.test(rupees)) return undefined;
	return Number(rupees.replaceAll(',', '')) * 100 + Number(part.slice(0, 2).padEnd(2, '0'));
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const dayForms: ReadonlyArray<
	readonly [form: RegExp, parts: readonly ['y' | 'm' | 'd', 'y' | 'm' | 'd', 'y' | 'm' | 'd']]
> = [
	[/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/u, ['y', 'm', 'd']],
	[/^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?!\d)/u, ['d', 'm', 'y']],
	[/^(\d{1,2})[-/. ]?([a-z]{3,9})[-/., ]{0,2}(\d{4}|\d{2})(?!\d)/iu, ['d', 'm', 'y']],
	[/^([a-z]{3,9})[-. ]{0,2}(\d{1,2}),? ?(\d{4})(?!\d)/iu, ['m', 'd', 'y']],
];

/** A calendar day (YYYY-MM-DD), the day before the month as India writes it; a time behind it is left. Undefined for anything else. */
export function readDay(text: string): string | undefined {
	const plain = text.replace(/^[\s'"=]+/u, '');
	for (const [form, names] of dayForms) {
		const found = form.exec(plain);
		if (found === null) continue;
		const part = Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? '']));
		const year = Number(part.y) + (part.y?.length === 2 ? 2000 : 0);
		const [month, day] = [monthOf(part.m ?? ''), Number(part.d)];
		// Only where the month cannot be one: month before day.
		return dayText(year, month, day) ?? (names[1] === 'm' && names[0] === 'd' ? dayText(year, day, month) : undefined);
	}
	return undefined;
}

function monthOf(text: string): number {
	return /^\d/u.test(text) ? Number(text) : months.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

function dayText(year: number, month: number, day: number): string | undefined {
	const date = new Date(Date.UTC(year, month - 1, day));
	const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 1990 && year < 2100;
	return isThere ? date.toISOString().slice(0, 10) : undefined;
}

const referenceMinLength = 12;
const referenceMaxLength = 35;
const referenceMinFigures = 8;

/**
 * What may be a payment's reference in a text, each as a proof's counts: 12 figures (UPI, IMPS), also behind letters or
 * filled up with zeros; figures and letters of bank transfers and payment apps. Names, phones, branches and UPI ids are none.
 */
export function referencesIn(text: string): string[] {
	const found = new Set<string>();
	for (const word of text.normalize('NFKC').split(/[^\p{L}\p{M}\p{N}]+/u)) {
		if (word.length < referenceMinLength || word.length > referenceMaxLength) continue;
		const plain = plainUtr(word);
		if (plain.replace(/\D/gu, '').length < referenceMinFigures || !/^[A-Z0-9]+$/u.test(plain)) continue;
		found.add(plain);
		const [, inner] = /^(?:[A-Z]+|0+)(\d{12})$/u.exec(plain) ?? [];
		if (inner !== undefined) found.add(inner);
	}
	return [...found];
}
