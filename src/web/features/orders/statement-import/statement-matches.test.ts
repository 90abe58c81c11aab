import { expect, test } from 'vitest';
import type { ComparedStatement, StatementLine } from '#contract/orders/statement-import.ts';
import {
	columnLetter,
	findDoubt,
	matchedOrderIds,
	pendingOrders,
	referencesByOrder,
	rowsOfKind,
	toggleOrder,
} from './statement-matches.ts';

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
const statement: ComparedStatement = {
	state: 'read',
	sample: [],
	columns: null,
	lines: [
		line,
		{ ...line, line: 3, kind: 'amount', orderIds: ['b'] },
		{ ...line, line: 4, kind: 'unclear', why: 'several-orders', orderIds: ['c', 'd'] },
		{ ...line, line: 5, kind: 'missing', reference: '', orderIds: [] },
		{ ...line, line: 6, kind: 'missing', reference: '', orderIds: ['e'] },
		{ ...line, line: 7, kind: 'missing', why: 'other-reference', reference: '', orderIds: ['f'] },
	],
	orders: [],
	counts: { matched: 1, amount: 1, unclear: 1, missing: 3, complete: 0 },
	debits: 0,
	failed: 0,
	unread: 0,
	unreadLines: [],
};

test('matchedOrderIds selects only the orders of matched rows', () => {
	expect([...matchedOrderIds(statement)]).toEqual(['a']);
	const references = Object.fromEntries(referencesByOrder(statement));
	expect(references).toMatchObject({ a: { reference: '632612345678' }, e: { reference: '' } });
});

test('toggleOrder replaces the chosen order of a row, because a payment belongs to one order', () => {
	const shared: StatementLine = { ...line, kind: 'unclear', why: 'several-orders', orderIds: ['c', 'd'] };
	const first = toggleOrder(new Set(['a']), shared, 'c');
	expect([...first]).toEqual(['a', 'c']);
	const second = toggleOrder(first, shared, 'd');
	expect([...second]).toEqual(['a', 'd']);
	expect([...toggleOrder(second, shared, 'd')]).toEqual(['a']);
});

test('a payment that has already completed an order suggests no order, and findDoubt names the completed order', () => {
	const used: StatementLine = { ...line, kind: 'unclear', why: 'used', usedBy: 'BYE-7K4M-2Q' };
	const orders = [{ id: 'a', status: 'Pending' }] as ComparedStatement['orders'];
	expect([...pendingOrders({ ...statement, orders }).keys()]).toEqual(['a']);
	expect([...pendingOrders({ ...statement, orders, lines: [used] }).keys()]).toEqual([]);
	expect([...referencesByOrder({ ...statement, lines: [used] })]).toEqual([]);
	expect(findDoubt(used)).toBe('Already used for BYE-7K4M-2Q');
});

test('rowsOfKind sorts rows with suggestions first, and findDoubt returns why a row is doubtful', () => {
	const missing = rowsOfKind(statement, 'missing');
	expect(missing.map(({ line: number }) => number)).toEqual([6, 7, 5]);
	expect(missing.map(findDoubt)).toEqual([
		'No reference, but amount and payer fit',
		'No order has this reference, but amount and payer fit',
		undefined,
	]);
	expect(rowsOfKind(statement, 'unclear').map(findDoubt)).toEqual(['One payment, several orders']);
});

test.each([
	[0, 'A'],
	[25, 'Z'],
	[26, 'AA'],
	[53, 'BB'],
])('columnLetter returns for the column with index %i the letter %s', (index, letter) => {
	expect(columnLetter(index)).toBe(letter);
});
