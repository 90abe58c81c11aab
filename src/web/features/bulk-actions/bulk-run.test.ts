import { expect, test } from 'vitest';
import type { BulkOutcome } from '#contract/bulk-actions/bulk-actions.ts';
import { limits } from '#contract/core/limits.ts';
import { addResults, listSkipped, startOf } from './bulk-run.ts';

const itemsOf = (outcomes: BulkOutcome[]) =>
	outcomes.map((outcome, index) => ({ id: `${index}`, email: `${index}@example.com`, outcome }));

test('addResults continues with the next selected users, and stops after the last', () => {
	const ids = Array.from({ length: limits.usersPerCallMax + 1 }, (_, index) => `user-${index}`);
	const selection = { ids };
	const start = startOf(selection);
	expect(start.next).toEqual({ ids: ids.slice(0, -1) });
	const done = itemsOf(Array(limits.usersPerCallMax).fill('done'));
	const second = addResults(start, { items: done, nextCursor: null }, selection);
	expect(second).toMatchObject({ next: { ids: ids.slice(-1) }, handled: limits.usersPerCallMax });
	const last = addResults(second, { items: itemsOf(['gone']), nextCursor: null }, selection);
	expect(last).toMatchObject({ next: null, handled: ids.length });
	expect(last.outcomes.get('done')?.count).toBe(ids.length - 1);
});

test('addResults continues at the cursor of all users who match, and keeps five addresses for each reason', () => {
	const filters = { search: 'a', status: 'all', role: 'all', book: 'all', group: '' } as const;
	const selection = { filters, until: '2026-01-01T00:00:00.000Z' };
	const results = { items: itemsOf([...Array(7).fill('inactive'), 'done', 'limit']), nextCursor: 'next' };
	const first = addResults(startOf(selection), results, selection);
	expect(first.next).toEqual({ ...selection, cursor: 'next' });
	const second = addResults(first, { ...results, nextCursor: null }, selection);
	expect(second).toMatchObject({ next: null, handled: 18 });
	expect(second.outcomes.get('done')?.count).toBe(2);
	const inactive = { count: 14, emails: [0, 1, 2, 3, 4].map((n) => `${n}@example.com`) };
	const limited = { count: 2, emails: ['8@example.com', '8@example.com'] };
	const skipped = Object.entries({ inactive, limit: limited });
	expect([...listSkipped(second, 18)]).toEqual(skipped);
	expect([...listSkipped(second, 20)]).toEqual([...skipped, ['other', { count: 2, emails: [] }]]);
	expect([...listSkipped(first, 20).keys()]).toEqual(['inactive', 'limit']);
});
