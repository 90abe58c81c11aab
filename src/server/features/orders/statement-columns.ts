import type { StatementColumns } from '#contract/orders/statement.ts';

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
	/** What is said of the payment, to be read. */
	texts: number[];
	/** Where references are looked for. */
	references: number[];
}

type Role = Exclude<keyof Columns, 'texts' | 'references'> | 'text' | 'reference' | 'balance';

/** What columns are called, the likeliest name first, as {@link plainName} leaves it. Names, not banks: a layout is known by its words. */
const names: Readonly<Record<Role, readonly string[]>> = {
	date: [
		'transaction date',
		'txn date',
		'tran date',
		'transaction date time',
		'transaction date and time',
		'transaction time',
		'payment date',
		'date',
		'date time',
		'date and time',
		'created at',
		'created on',
		'posting date',
		'post date',
		'txn posted date',
		'value date',
		'value dt',
		'settlement date',
		'दिनांक',
		'तारीख',
	],
	credit: [
		'deposit amt',
		'deposit amount',
		'deposits',
		'deposit',
		'credit amount',
		'credit amt',
		'credit',
		'credits',
		'cr amount',
		'cr amt',
		'cr',
		'amount credited',
		'amount received',
		'received amount',
		'received',
		'money in',
		'paid in',
		'जमा',
	],
	debit: [
		'withdrawal amt',
		'withdrawal amount',
		'withdrawals',
		'withdrawal',
		'debit amount',
		'debit amt',
		'debit',
		'debits',
		'dr amount',
		'dr amt',
		'dr',
		'money out',
		'paid out',
		'नामे',
	],
	amount: [
		'transaction amount',
		'txn amount',
		'payment amount',
		'order amount',
		'amount',
		'gross amount',
		'total amount',
		'amt',
		'राशि',
	],
	direction: [
		'dr cr',
		'cr dr',
		'drcr',
		'crdr',
		'debit credit',
		'credit debit',
		'd c',
		'c d',
		'transaction type',
		'txn type',
		'tran type',
		'entry type',
		'type',
	],
	status: ['transaction status', 'txn status', 'payment status', 'order status', 'status'],
	currency: ['currency', 'currency code', 'ccy'],
	text: [
		'narration',
		'transaction remarks',
		'remarks',
		'description',
		'transaction description',
		'particulars',
		'transaction particulars',
		'transaction details',
		'details',
		'customer name',
		'payer name',
		'payer',
		'sender name',
		'name',
		'customer vpa',
		'payer vpa',
		'payer upi id',
		'customer upi id',
		'vpa',
		'upi id',
		'customer mobile',
		'customer phone',
		'mobile number',
		'mobile',
		'contact',
		'comment',
		'comments',
		'note',
		'notes',
		'विवरण',
	],
	reference: [
		'utr',
		'utr no',
		'utr number',
		'transaction utr',
		'rrn',
		'rrn no',
		'rrn number',
		'rrn utr',
		'utr rrn',
		'bank rrn',
		'bank reference',
		'bank reference no',
		'bank reference number',
		'bank ref no',
		'upi ref no',
		'upi reference no',
		'upi reference number',
		'upi reference id',
		'upi transaction id',
		'upi txn id',
		'chq ref no',
		'chq ref number',
		'chqref no',
		'cheque ref no',
		'ref no cheque no',
		'ref no',
		'ref number',
		'reference',
		'reference no',
		'reference number',
		'cheque number',
		'cheque no',
		'chqno',
		'chq no',
		'transaction id',
		'transaction reference',
		'txn id',
		'acquirer data',
		'payment id',
		'id',
	],
	balance: ['balance', 'closing balance', 'running balance', 'available balance', 'bal', 'balance amount', 'शेष'],
};

const feeNames = new Set(['fee', 'fees', 'commission', 'mdr']);

/** How a column's name counts: its letters, without the currency that its figures are in. */
export function plainName(cell: string): string {
	return cell
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.replace(/\b(?:in )?(?:inr|rs|rupees)\b/gu, ' ')
		.replace(/\s+/gu, ' ')
		.trim();
}

/** What the cells of a header say; null where it is none, or lacks the amount or what it was for. */
export function columnsOf(header: readonly string[]): Columns | null {
	const plain = header.map(plainName);
	const find = (role: Role) => {
		const known = names[role].find((name) => plain.includes(name));
		return known === undefined ? null : plain.indexOf(known);
	};
	const all = (role: Role) => plain.flatMap((name, at) => (names[role].includes(name) ? [at] : []));
	const amount = find('amount');
	// Beside a fee the credit is what was left of a payment.
	const credit = amount !== null && plain.some((name) => feeNames.has(name)) ? null : find('credit');
	const money = { credit, debit: credit === null ? null : find('debit'), amount: credit === null ? amount : null };
	const references = [...all('reference'), ...all('text')];
	if ((credit === null && money.amount === null) || references.length === 0) return null;
	return {
		...money,
		date: find('date'),
		direction: find('direction'),
		status: find('status'),
		currency: find('currency'),
		texts: [...all('text'), ...all('reference')],
		references,
	};
}

/** The columns that somebody has named. */
export function columnsFrom({ date, amount, text }: StatementColumns): Columns {
	return {
		date,
		amount,
		credit: null,
		debit: null,
		direction: null,
		status: null,
		currency: null,
		texts: [text],
		references: [text],
	};
}

/** The same for whoever may name them otherwise; null where one is missing. */
export function presentColumns({ date, credit, amount, texts, references }: Columns): StatementColumns | null {
	const money = credit ?? amount;
	const [text = references[0]] = texts;
	return date === null || money === null || text === undefined ? null : { date, amount: money, text };
}
