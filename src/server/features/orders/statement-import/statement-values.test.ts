import { expect, test } from 'vitest';
import {
	extractReferences,
	mentionsDebitOrFailure,
	mentionsReversal,
	parseAmount,
	parseDay,
	parseDirection,
} from './statement-values.ts';

test.each([
	['499', 49_900, null],
	['499.5', 49_950, null],
	['499.5000', 49_950, null],
	['.50', 50, null],
	['1,00,499.50', 10_049_950, null],
	['100,499.50', 10_049_950, null],
	['12,34,56,789.01', 12_345_678_901, null],
	['499,50', 49_950, null],
	['1,00', 100, null],
	['Dr.0.50', 50, 'debit'],
	['1.499,50', 149_950, null],
	['₹ 499.00', 49_900, null],
	['Rs. 499', 49_900, null],
	['Rs.499', 49_900, null],
	['4 99.', 49_900, null],
	['INR 499.00 Cr', 49_900, 'credit'],
	['499.00Dr', 49_900, 'debit'],
	['499.00 Dr.', 49_900, 'debit'],
	['Cr 499', 49_900, 'credit'],
	['+499', 49_900, 'credit'],
	['-499.00', 49_900, 'debit'],
	['499.00-', 49_900, 'debit'],
	['(499.00)', 49_900, 'debit'],
	['-499.00 Cr', 49_900, 'debit'],
	['"="499.00', 49_900, null],
	['\u00a0499.00\u00a0', 49_900, null],
	['４９９', 49_900, null],
])('parseAmount reads %j as %i paise', (text, paise, direction) => {
	expect(parseAmount(text)).toEqual({ paise, direction });
});

test.each(['', '-', 'abc', '499.005', '1,2,3', '499.5.0', '(499', '499)', '1e3', '0x10', '9'.repeat(13), 'NaN'])(
	'parseAmount rejects %j',
	(text) => {
		expect(parseAmount(text)).toBeUndefined();
	},
);

test.each([
	['22/11/2026', '2026-11-22'],
	['22-11-26', '2026-11-22'],
	['5.1.2026', '2026-01-05'],
	['05/01/26 10:12', '2026-01-05'],
	['11/22/2026', '2026-11-22'],
	['22-Nov-26', '2026-11-22'],
	['22Nov2026', '2026-11-22'],
	['22 November 2026, 9:12 am', '2026-11-22'],
	['Nov 22, 2026, 9:12 AM', '2026-11-22'],
	['2026-11-22T09:12:34+05:30', '2026-11-22'],
	["'22-11-2026 09:12:34'", '2026-11-22'],
	['29/02/2028', '2028-02-29'],
])('parseDay reads %j as %s', (text, day) => {
	expect(parseDay(text)).toBe(day);
});

test.each(['', 'Total', '31/02/2026', '29/02/2026', '1,00,499.50', '12', '22/11/1926', '632612345678', '22 Foo 2026'])(
	'parseDay rejects %j',
	(text) => {
		expect(parseDay(text)).toBeUndefined();
	},
);

test.each([
	['UPI-RAVI KUMAR-ravi@okaxis-HDFC0000001-432112345678-PAYMENT', ['432112345678']],
	['NEFT CR-SBIN0000300-DEV SHAH-N326261234567890', ['N326261234567890']],
	['RTGS-HDFCR52026112212345678', ['HDFCR52026112212345678']],
	['IMPS/P2A/432112345678/RAVI/9823055512', ['432112345678']],
	['0000432112345678', ['0000432112345678', '432112345678']],
	['MAIMPS432112345678', ['MAIMPS432112345678', '432112345678']],
	['{"rrn":"432112345678"}', ['432112345678']],
	["'432112345678", ['432112345678']],
	['४३२११२३४५६७८', ['432112345678']],
	['HDFC0000001 9823055512 PAYMENT FROM PHONE 4.32112E+11', []],
	['UPI/432112345678/919876501234@ybl/632612345678@ybl', ['432112345678']],
	['UPI/CR/432112345678/919876501234/dev@ybl', ['432112345678']],
	['919876501234', ['919876501234']],
	['NEFT 20261122091234 202611220912', []],
])('extractReferences finds the payment references in %j', (text, references) => {
	expect(extractReferences(text)).toEqual(references);
});

test.each(
	`CR, Credit ,PAYMENT,Received,UPI,NEFT,IMPS/P2A,UPI-CR,Paid in,Money in,Transfer in,Inward,ACQUIRING,जमा`.split(','),
)('parseDirection reads %j as a credit', (word) => {
	expect(parseDirection(word)).toBe('credit');
});

test.each(
	`Dr.,D,W,REFUND,Reversed,Refunded,Refund Processed,PAYMENT_REFUND,CHARGE BACK,Chargeback,DR - UPI,UPI DR,Debit (UPI),DEBIT CARD,Money sent,Transfer out,Paid to,Paid,Withdrawn,Outgoing,NEFT Outward,UPI Return,नामे`.split(
		',',
	),
)('parseDirection reads %j as a debit', (word) => {
	expect(parseDirection(word)).toBe('debit');
});

test.each(['', '-', 'Adjustment', 'Transfer', 'Hold', 'X'])('parseDirection reports %j as unclear', (word) => {
	expect(parseDirection(word)).toBe('unclear');
});

test('mentionsReversal and mentionsDebitOrFailure recognise reversals, debits and failed payments', () => {
	expect(['REV-UPI-632612345678-RETURN', 'UPI_REVERSAL', 'NEFT RTN', 'Charge-back'].every(mentionsReversal)).toBe(true);
	expect(['UPI-DEV SHAH-BOOK', 'REVATI RAO', 'UPI/REVIEW'].some(mentionsReversal)).toBe(false);
	expect(['Dr', 'D', 'FAILED', 'Refund Processed', 'UPI DR', 'Cancelled'].every(mentionsDebitOrFailure)).toBe(true);
	expect(['', 'CR', '0.00', 'BOOK-0001', 'null', 'UPI', 'Dr Rao and his two sons'].some(mentionsDebitOrFailure)).toBe(
		false,
	);
});
