import { afterAll, expect, test } from 'vitest';
import { createAccessFixture } from '../../access/access-fixture.ts';
import { accessRows, routesOutsideTheTable } from '../../access/access-table.ts';
import { accessCalls } from '../../access/calls/access-calls.ts';
import { cellsOf, checkCell } from '../../access/check-cell.ts';

// `npm run check` runs these tests of the access table; access.slow.test.ts tests every cell of it.
const world = await createAccessFixture();
afterAll(() => world.close());

test('every registered route has a row in the access table, and every row names registered routes', () => {
	const registered = world.app.routeList
		.filter(
			({ method, url }) =>
				method !== 'HEAD' || !world.app.routeList.some((other) => other.method === 'GET' && other.url === url),
		)
		.map(({ method, url }) => `${method} ${url}`);
	const named = [...accessRows.flatMap(({ routes }) => routes), ...routesOutsideTheTable];
	expect(registered.length).toBeGreaterThan(40);
	expect(registered.toSorted()).toEqual(named.toSorted());
	expect(Object.keys(accessCalls).toSorted()).toEqual(accessRows.flatMap(({ routes }) => routes).toSorted());
});

const closed = accessRows.map((row) => ({
	call: row.call,
	cells: cellsOf(row).cells.filter(({ actor, outcome: mark }) => actor === 'A' && mark !== '✓'),
}));

test.each(closed.filter(({ cells }) => cells.length > 0))('requires a session: $call', async ({ cells }) => {
	for (const cell of cells) await checkCell(world, cell);
});
