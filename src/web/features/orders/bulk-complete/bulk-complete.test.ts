import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { pendingOrder as order } from '../../../../../test/support/fixtures/pending-order.ts';
import { orderFlags, planBulkComplete } from './bulk-complete.ts';

test('planBulkComplete omits Complete orders and orders with unsaved changes', () => {
	const orders = [
		{ ...order, id: 'a' },
		{ ...order, id: 'b', status: 'Complete' as const },
		{ ...order, id: 'c' },
		{ ...order, id: 'd' },
	];
	const drafts = {
		c: { order, changes: { phone: '1' }, version: 1 },
		d: { order, changes: {}, version: 1 },
	};
	const plan = planBulkComplete(orders, drafts);
	expect(plan.orders.map(({ id }) => id)).toEqual(['a', 'd']);
	expect(plan).toMatchObject({ complete: 1, unsaved: 1 });
});

test('orderFlags returns a text for every warning of an order', () => {
	expect(orderFlags(order)).toEqual([]);
	const flagged: Order = {
		...order,
		phone: 'call my aunt, she has it written down somewhere',
		oddFields: ['phone', 'utr'],
		repeats: [
			{ kind: 'utr', code: 'BYE-3333-33', isOwnOrder: false },
			{ kind: 'picture', code: 'BYE-4444-44', isOwnOrder: false },
		],
		screenshot: null,
		isProofWanted: true,
	};
	expect(orderFlags(flagged)).toEqual([
		'Check details: Phone “call my aunt, she has it written down s…”, Payment reference',
		'Same payment reference as BYE-3333-33',
		'Same picture as BYE-4444-44',
		'No screenshot',
		'New proof requested',
	]);
});
