import { readFileSync } from 'node:fs';
import type { HttpClient } from './http.ts';
import { multipart } from './http.ts';

/** The layouts that stand in test/samples/statements: the same payments, as each bank and app tells them. */
export const statementLayouts = [
	'hdfc.csv',
	'sbi.tsv',
	'icici.csv',
	'axis.csv',
	'kotak.csv',
	'signed.csv',
	'phonepe.csv',
	'google-pay.csv',
	'paytm.csv',
	'razorpay.csv',
] as const;

/** The bytes of a sample. */
export function sampleStatement(name: (typeof statementLayouts)[number]): Buffer {
	return readFileSync(new URL(`../samples/statements/${name}`, import.meta.url));
}

/** Gives the desk a statement; `query`: its columns, as `?date=0&amount=1&text=2`. */
export function sendStatement(client: HttpClient, bytes: Buffer | string, query = '') {
	const form = multipart({}, { field: 'file', name: 'statement.csv', type: 'text/csv', bytes: Buffer.from(bytes) });
	return client.call('POST', `/api/orders-statement${query}`, form.body, form.headers);
}

/** A statement of some credits of a day (DD/MM/YYYY) in the plainest layout. */
export function plainStatement(
	credits: ReadonlyArray<readonly [text: string, amount: string]>,
	day = '22/11/2026',
): string {
	return `Date,Narration,Debit,Credit\n${credits.map(([text, amount]) => `${day},"${text}",,"${amount}"`).join('\n')}\n`;
}

/** The day that it is where the desk is, as statements write it. */
export function statementToday(): string {
	return new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata' }).format();
}
