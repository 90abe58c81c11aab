import { comparableUtr, normalizeUtr } from '../order-warnings.ts';

/** A sum of money as a statement writes it. */
export interface StatementAmount {
	/** Whole paise, never below zero. */
	paise: number;
	/** What its sign or its mark says; null without one. */
	direction: 'credit' | 'debit' | null;
}

/** Words of money that came in, and the ways it takes; beside them, words that say nothing of their own. */
const creditWords =
	/^(?:cr|c|credit|credited|deposit|deposited|received|receipt|payment|sale|sales|in|incoming|inward|inflow|collect|collection|acquiring|upi|imps|neft|rtgs|p2a|p2m|p2p|qr|जमा)$/u;
const otherWords = /^(?:bank|transfer|money|paid|amount|by|from|online|mobile|success|successful)$/u;
const debitWords =
	/(?:^| )(?:dr|debit\w*|refund\w*|rev|revers\w*|return\w*|sent|withdraw\w*|out|outgoing|outward|outflow|charge ?backs?|paid to|payout\w*|fees?|settlement|नामे)(?= |$)/u;
const wholeDebitWords = /^(?:d|w|paid)$/u;

/** Words as they count: small letters and figures, one space between. */
function normalizeWords(text: string): string {
	return text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.trim();
}

/** Which way money went, in the words of a column for it; `unclear` for any word that nobody knows, and for none. */
export function parseDirection(text: string): 'credit' | 'debit' | 'unclear' {
	const words = normalizeWords(text);
	if (debitWords.test(words) || wholeDebitWords.test(words)) return 'debit';
	const parts = words.split(' ').filter((part) => !otherWords.test(part));
	return parts.length > 0 && parts.every((part) => creditWords.test(part)) ? 'credit' : 'unclear';
}

const reversalWords =
	/(?:^| )(?:rev|reversal|reversed|return|returned|rtn|rvsl|refund|refunded|refunds|charge ?back|rejected|declined)(?= |$)/u;

/** Whether a narration tells of money that went back, whichever way. */
export function mentionsReversal(text: string): boolean {
	return reversalWords.test(normalizeWords(text));
}

const failureWords =
	/^(?:d|w|dr|debit\w*|refund\w*|revers\w*|return\w*|withdraw\w*|charge ?backs?|fail\w*|declin\w*|reject\w*|cancel\w*|expired)$/u;
const failureCellMaxLength = 30;

/** Whether a cell that nobody asked for speaks of a debit or a failure: its one word, or the first or last of a few. */
export function mentionsDebitOrFailure(text: string): boolean {
	if (text.length > failureCellMaxLength) return false;
	const words = normalizeWords(text);
	const parts = words.split(' ');
	return (
		failureWords.test(words) ||
		(parts.length < 4 &&
			[parts[0], parts.at(-1)].some((part) => part !== undefined && part.length > 1 && failureWords.test(part)))
	);
}

const wholeRupees = /^(?:\d{1,12}|\d{1,3}(?:,\d{2,3})*,\d{3})$/u;

/**
 * An amount to the paisa: 499, 1,00,499.50, ₹ 499.00 Cr, (499.00), -499, 499,50. Nothing is rounded.
 * @returns undefined for what is no amount
 */
export function parseAmount(text: string): StatementAmount | undefined {
	const plain = text
		.normalize('NFKC')
		.replace(/[\s'"=`]|₹|\bINR\b|\bRs\b\.?/giu, '')
		.replace(/^(?:INR|Rs\.?)/iu, '');
	const parts = /^(?:(Cr|Dr)\.?)?([-+(]?)([\d.,]+)([-)]?)(?:(Cr|Dr)\.?)?$/iu.exec(plain);
	if (parts === null) return undefined;
	const [, before = '', sign = '', figures = '', after = '', behind = ''] = parts;
	if ((sign === '(') !== (after === ')')) return undefined;
	const paise = parsePaise(figures);
	if (paise === undefined) return undefined;
	const isNegative = sign === '-' || sign === '(' || after === '-';
	const mark = (before || behind).toLowerCase();
	if (mark === '') return { paise, direction: isNegative ? 'debit' : sign === '+' ? 'credit' : null };
	return { paise, direction: (mark === 'cr') === isNegative ? 'debit' : 'credit' };
}

function parsePaise(figures: string): number | undefined {
	// A comma before the last two figures is a decimal sign: groups end with three.
	const isComma = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{2}$/u.test(figures);
	const usual = isComma ? figures.replaceAll('.', '').replace(',', '.') : figures;
	const [rupees = '', part = '', ...more] = usual.split('.');
	if (more.length > 0 || !/^\d*$/u.test(part) || /[^0]/u.test(part.slice(2))) return undefined;
	if (rupees === '' ? part === '' : !wholeRupees.test(rupees)) return undefined;
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
export function parseDay(text: string): string | undefined {
	const plain = text.replace(/^[\s'"=]+/u, '');
	for (const [form, names] of dayForms) {
		const found = form.exec(plain);
		if (found === null) continue;
		const part = Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? '']));
		const year = Number(part.y) + (part.y?.length === 2 ? 2000 : 0);
		const [month, day] = [parseMonth(part.m ?? ''), Number(part.d)];
		// Only where the month cannot be one: month before day.
		return (
			formatDay(year, month, day) ?? (names[1] === 'm' && names[0] === 'd' ? formatDay(year, day, month) : undefined)
		);
	}
	return undefined;
}

function parseMonth(text: string): number {
	return /^\d/u.test(text) ? Number(text) : months.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

function formatDay(year: number, month: number, day: number): string | undefined {
	const date = new Date(Date.UTC(year, month - 1, day));
	const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 1990 && year < 2100;
	return isThere ? date.toISOString().slice(0, 10) : undefined;
}

const referenceMinLength = 12;
const referenceMaxLength = 35;
const referenceMinFigures = 8;

const phonePattern = /^0*91[6-9]\d{9}$/u;
/** A moment, to the minute or the second. */
const timestampPattern = /^20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/u;

/**
 * What may be a payment's reference in a text, each as a proof's counts: 12 figures (UPI, IMPS), also behind letters or
 * filled up with zeros; figures and letters of bank transfers and payment apps. Names, phones, branches, UPI ids and times are none.
 */
export function extractReferences(text: string): string[] {
	const found = new Set<string>();
	const usual = text.normalize('NFKC');
	const hasUpiId = usual.includes('@');
	// Before the @ of a UPI id stands a phone, or anything its owner thought of.
	const words = usual.split(/[^\p{L}\p{M}\p{N}.@]+/u).flatMap((each) => (each.includes('@') ? [] : each.split('.')));
	for (const word of words) {
		if (word.length < referenceMinLength || word.length > referenceMaxLength) continue;
		const plain = normalizeUtr(word);
		if (plain.replace(/\D/gu, '').length < referenceMinFigures || !/^[A-Z0-9]+$/u.test(plain)) continue;
		if (timestampPattern.test(plain) || (hasUpiId && phonePattern.test(plain))) continue;
		found.add(plain);
		found.add(comparableUtr(word));
	}
	return [...found];
}

/** An account's number as banks write it, spaced or grouped. */
const groupedAccountPattern = /\d(?:[ -]?\d){7,}/gu;
/** Only its end, and perhaps its beginning, where the rest is masked. */
const maskedAccountPattern = /(\d{0,20})[x*•]{2,30}[ -]?(\d{4,20})/giu;
const maskedMax = 50;

/** Tells whether a reference is an account's number: as one of some texts has it, grouped, filled up with zeros or masked. */
export function createAccountMatcher(texts: readonly string[]): (reference: string) => boolean {
	const own = new Set<string>();
	const ends: Array<readonly [start: string, end: string]> = [];
	for (const text of texts.map((each) => each.normalize('NFKC'))) {
		for (const reference of extractReferences(text)) own.add(reference);
		for (const [figures] of text.matchAll(groupedAccountPattern)) own.add(normalizeAccount(figures));
		for (const [, start = '', end = ''] of text.matchAll(maskedAccountPattern))
			ends.push([start.replace(/^0+/u, ''), end]);
	}
	ends.splice(maskedMax);
	return (reference) => {
		const key = normalizeAccount(reference);
		return (
			own.has(reference) || own.has(key) || ends.some(([start, end]) => key.startsWith(start) && key.endsWith(end))
		);
	};
}

/** Its figures, without the zeros that fill it up. */
function normalizeAccount(text: string): string {
	return text.replace(/\D/gu, '').replace(/^0+/u, '');
}
