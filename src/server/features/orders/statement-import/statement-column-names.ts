import { normalizeWords } from './statement-values.ts';

const fullWords: Readonly<Record<string, string>> = {
	amt: 'amount',
	chq: 'cheque',
	number: 'no',
	ref: 'reference',
	tran: 'transaction',
	txn: 'transaction',
};

/** Normalises a column's name: letters and digits in lower case, words written in full, without the currency. */
export function normalizeColumnName(cell: string): string {
	return normalizeWords(cell)
		.replace(/\b(?:in )?(?:inr|rs|rupees)\b/gu, ' ')
		.trim()
		.split(/\s+/u)
		.map((word) => fullWords[word] ?? word)
		.join(' ');
}

function listOf(names: string): readonly string[] {
	return names.split(',').map((name) => name.trim());
}

/** Known normalised column names by role, most likely first. They are the same for all banks. */
export const columnNames = {
	date: listOf(`transaction date, transaction date time, transaction date and time, transaction time, payment date,
		date, date time, date and time, created at, created on, posting date, post date, transaction posted date,
		value date, value dt, settlement date, दिनांक, तारीख`),
	credit: listOf(`deposit amount, deposits, deposit, credit amount, credit, credits, cr amount, cr, amount credited,
		amount received, received amount, received, money in, paid in, जमा`),
	debit: listOf(`withdrawal amount, withdrawals, withdrawal, debit amount, debit, debits, dr amount, dr, money out,
		paid out, नामे`),
	amount: listOf('transaction amount, payment amount, order amount, amount, gross amount, total amount, राशि'),
	/** Columns with the direction of the amount: debit or credit. */
	direction: listOf(`dr cr, cr dr, drcr, crdr, debit credit, credit debit, d c, c d, transaction type, entry type,
		type`),
	status: listOf('transaction status, payment status, order status, status'),
	currency: listOf('currency, currency code, ccy'),
	refund: listOf(`refund, refunds, refund amount, refunded, refunded amount, amount refunded, reversal amount,
		reversed amount, chargeback amount`),
	text: listOf(`narration, transaction remarks, remarks, description, transaction description, particulars,
		transaction particulars, transaction details, details, विवरण`),
	/** Details of the payer, and texts that the payer enters. They are not searched for references. */
	person: listOf(`customer name, payer name, payer, sender name, name, customer vpa, payer vpa, payer upi id,
		customer upi id, vpa, upi id, customer mobile, customer phone, mobile no, mobile, contact, comment, comments,
		note, notes`),
	/** Columns that contain only the payment reference. */
	utr: listOf(`utr, utr no, transaction utr, rrn, rrn no, rrn utr, utr rrn, bank rrn, upi reference no,
		upi reference id, upi transaction id`),
	reference: listOf(`bank reference, bank reference no, cheque reference no, chqref no, reference no cheque no,
		reference no, reference, cheque no, chqno, transaction id, transaction reference, acquirer data, payment id, id`),
	balance: listOf('balance, closing balance, running balance, available balance, bal, balance amount, शेष'),
} as const;
export type ColumnRole = keyof typeof columnNames;
