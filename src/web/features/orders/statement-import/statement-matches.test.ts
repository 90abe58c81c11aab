import { expect, test } from 'vitest';
import type { StatementLine } from '#contract/orders/statement-import.ts';
import { columnLetter, findDoubt, rowsOfKind } from './statement-matches.ts';

const line: StatementLine = {
	line: 2,
	day: '2026-11-22',
	amount: 499,
	text: 'UPI',
	kind: 'matched',
	why: null,
	reference: '632612345678',
	references: ['632612345678'],
	usedBy: null,
	orderIds: ['a'],
};
const missing: StatementLine = { ...line, kind: 'missing', reference: '', orderIds: [] };
const lines: StatementLine[] = [
	{ ...line, line: 4, kind: 'unclear', why: 'several-orders', orderIds: ['c', 'd'] },
	{ ...missing, line: 5 },
	{ ...missing, line: 6, orderIds: ['e'] },
	{ ...missing, line: 7, why: 'other-reference', orderIds: ['f'] },
];

test('rowsOfKind returns rows with suggestions first, and findDoubt returns why a row is doubtful', () => {
	const missingLines = rowsOfKind(lines, 'missing');
	expect(missingLines.map(({ line: number }) => number)).toEqual([6, 7, 5]);
	expect(missingLines.map(findDoubt)).toEqual([
		'No reference, but amount and payer fit',
		'No order has this reference, but amount and payer fit',
		undefined,
	]);
	expect(rowsOfKind(lines, 'unclear').map(findDoubt)).toEqual(['One payment, several orders']);
});

test.each([
	[0, 'A'],
	[25, 'Z'],
	[26, 'AA'],
	[53, 'BB'],
])('columnLetter of the index %i is %s', (index, letter) => {
	expect(columnLetter(index)).toBe(letter);
});
