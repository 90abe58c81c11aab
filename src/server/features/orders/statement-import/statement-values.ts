import { comparableUtr, isPhoneWithCountryCode, normalizeUtr } from '../order-warnings.ts';

interface StatementAmount {
	/** Whole paise, never below zero. */
	paise: number;
	/** Direction from the sign or the Cr/Dr mark; null without either. */
	direction: 'credit' | 'debit' | null;
}

/** Words for a credit or a way of payment. `otherWords` have no direction and may occur beside them. */
const creditWords =
	/^(?:cr|c|credit|credited|deposit|deposited|received|receipt|payment|sale|sales|in|incoming|inward|inflow|collect|collection|acquiring|upi|imps|neft|rtgs|p2a|p2m|p2p|qr|जमा)$/u;
const otherWords = /^(?:bank|transfer|money|paid|amount|by|from|online|mobile|success|successful)$/u;
const debitWords =
	/(?:^| )(?:dr|debit\w*|refund\w*|rev|revers\w*|return\w*|sent|withdraw\w*|out|outgoing|outward|outflow|charge ?backs?|paid to|payout\w*|fees?|settlement|नामे)(?= |$)/u;
const wholeDebitWords = /^(?:d|w|paid)$/u;

/** Returns the words of a text in lower case, with single spaces instead of other characters. */
export function normalizeWords(text: string): string {
	return text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.trim();
}

/** Returns the direction in a direction column; `unclear` for unknown words and an empty cell. */
export function parseDirection(text: string): 'credit' | 'debit' | 'unclear' {
	const words = normalizeWords(text);
	if (debitWords.test(words) || wholeDebitWords.test(words)) return 'debit';
	const parts = words.split(' ').filter((part) => !otherWords.test(part));
	return parts.length > 0 && parts.every((part) => creditWords.test(part)) ? 'credit' : 'unclear';
}

const reversalWords =
	/(?:^| )(?:rev|reversal|reversed|return|returned|rtn|rvsl|refund|refunded|refunds|charge ?back|rejected|declined)(?= |$)/u;

/** Returns whether a text mentions returned money, in either direction. */
export function mentionsReversal(text: string): boolean {
	return reversalWords.test(normalizeWords(text));
}

const failureWords =
	/^(?:d|w|dr|debit\w*|refund\w*|revers\w*|return\w*|withdraw\w*|charge ?backs?|fail\w*|declin\w*|reject\w*|cancel\w*|expired)$/u;
const failureCellMaxLength = 30;

/** Returns whether a cell has a word for a debit or failure, alone or as the first or last of up to three words. */
export function mentionsDebitOrFailure(text: string): boolean {
	if (text === '' || text.length > failureCellMaxLength) return false;
	const words = normalizeWords(text);
	const parts = words.split(' ');
	const ends = parts.length < 4 ? [parts[0], parts.at(-1)] : [];
	return failureWords.test(words) || ends.some((part = '') => part.length > 1 && failureWords.test(part));
}

const wholeRupees = /^(?:\d{1,12}|\d{1,3}(?:,\d{2,3})*,\d{3})$/u;

/** Parses an amount exactly: 499, 1,00,499.50, ₹ 499.00 Cr, (499.00), -499, 499,50. @returns undefined if invalid */
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
	// A comma before the last two digits is a decimal comma, because the last group of whole rupees has three digits.
	const isComma = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{2}$/u.test(figures);
	const usual = isComma ? figures.replaceAll('.', '').replace(',', '.') : figures;
	const [rupees = '', part = '', ...more] = usual.split('.');
	if (more.length > 0 || !/^\d*$/u.test(part) || /[^0]/u.test(part.slice(2))) return undefined;
	if (rupees === '' ? part === '' : !wholeRupees.test(rupees)) return undefined;
	return Number(rupees.replaceAll(',', '')) * 100 + Number(part.slice(0, 2).padEnd(2, '0'));
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const yearFirst = /^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})(?!\d)/u;
const dayForms = [
	yearFirst,
	/^(?<d>\d{1,2})[-/. ](?<m>\d{1,2})[-/. ](?<y>\d{4}|\d{2})(?!\d)/u,
	/^(?<d>\d{1,2})[-/. ]?(?<m>[a-z]{3,9})[-/., ]{0,2}(?<y>\d{4}|\d{2})(?!\d)/iu,
	/^(?<m>[a-z]{3,9})[-. ]{0,2}(?<d>\d{1,2}),? ?(?<y>\d{4})(?!\d)/iu,
];

/** Parses a date to YYYY-MM-DD without its time. Reads 5.1.2026 as 5 January. @returns undefined if invalid */
export function parseDay(text: string): string | undefined {
	const plain = text.replace(/^[\s'"=]+/u, '');
	const form = dayForms.find((dayForm) => dayForm.test(plain));
	const { y = '', m = '', d = '' } = form?.exec(plain)?.groups ?? {};
	const year = Number(y) + (y.length === 2 ? 2000 : 0);
	const [month, day] = [parseMonth(m), Number(d)];
	// The month comes before the day only if the day-first reading is not a date.
	return formatDay(year, month, day) ?? (form === yearFirst ? undefined : formatDay(year, day, month));
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

/** Matches a date and time without separators, with or without seconds. */
const timestampPattern = /^20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/u;

/**
 * Extracts possible payment references: numbers of 12 digits (UPI, IMPS), also after letters or zeros, and the
 * references of bank transfers and payment apps. Each is also returned in its comparable form. Names, bank
 * branches, UPI IDs and times are not returned, nor are phone numbers if the text has a UPI ID.
 */
export function extractReferences(text: string): string[] {
	const references = new Set<string>();
	const normalized = text.normalize('NFKC');
	const hasUpiId = normalized.includes('@');
	// UPI IDs are skipped, because the part before the @ is a phone number or any text chosen by the owner.
	const words = normalized
		.split(/[^\p{L}\p{M}\p{N}.@]+/u)
		.flatMap((word) => (word.includes('@') ? [] : word.split('.')));
	for (const word of words) {
		if (word.length < referenceMinLength || word.length > referenceMaxLength) continue;
		const plain = normalizeUtr(word);
		if (plain.replace(/\D/gu, '').length < referenceMinFigures || !/^[A-Z0-9]+$/u.test(plain)) continue;
		if (timestampPattern.test(plain) || (hasUpiId && isPhoneWithCountryCode(plain))) continue;
		references.add(plain);
		references.add(comparableUtr(word));
	}
	return [...references];
}

/** Matches an account number with spaces or hyphens between the digits. */
const groupedAccountPattern = /\d(?:[ -]?\d){7,}/gu;
/** Matches a masked account number of which only the end, and perhaps the beginning, is readable. */
const maskedAccountPattern = /(\d{0,20})[x*•]{2,30}[ -]?(\d{4,20})/giu;
const maskedMax = 50;

/** Returns a function that recognises the account numbers in the texts, which may group, pad or mask them. */
export function createAccountMatcher(texts: readonly string[]): (reference: string) => boolean {
	const accountNumbers = new Set<string>();
	const ends: Array<readonly [start: string, end: string]> = [];
	for (const text of texts.map((rawText) => rawText.normalize('NFKC'))) {
		for (const reference of extractReferences(text)) accountNumbers.add(reference);
		for (const [figures] of text.matchAll(groupedAccountPattern)) accountNumbers.add(normalizeAccount(figures));
		for (const [, start = '', end = ''] of text.matchAll(maskedAccountPattern))
			ends.push([start.replace(/^0+/u, ''), end]);
	}
	ends.splice(maskedMax);
	return (reference) => {
		const key = normalizeAccount(reference);
		return (
			accountNumbers.has(reference) ||
			accountNumbers.has(key) ||
			ends.some(([start, end]) => key.startsWith(start) && key.endsWith(end))
		);
	};
}

function normalizeAccount(text: string): string {
	return text.replace(/\D/gu, '').replace(/^0+/u, '');
}
