import { afterAll, expect, test } from 'vitest';
import { createAccessFixture } from '../../access/access-fixture.ts';
import { accessTable, notBuilt, routesOutsideTheTable } from '../../access/access-table.ts';
import { cellsOf, checkCell } from '../../access/check-cell.ts';

// These access tests are fast. access.slow.test.ts tests every cell of the access table.
const fixture = await createAccessFixture();
afterAll(() => fixture.close());

test('every registered route is in the access table, and every route in the table is registered', () => {
	const registered = fixture.app.routeList
		.filter(
			({ method, url }) =>
				method !== 'HEAD' || !fixture.app.routeList.some((route) => route.method === 'GET' && route.url === url),
		)
		.map(({ method, url }) => `${method} ${url}`);
	const named = [...accessTable.flatMap(({ calls }) => Object.keys(calls)), ...routesOutsideTheTable];
	expect(registered.length).toBeGreaterThan(40);
	expect(registered.toSorted()).toEqual(named.toSorted());
});

test('calls that are not built have no route, and are printed', () => {
	for (const [call, pattern] of notBuilt) {
		expect(fixture.app.routeList.filter(({ url }) => pattern.test(url))).toEqual([]);
		console.log(`access: not built: ${call}`);
	}
});

const rowsForVisitors = accessTable.map((row) => ({
	call: row.call,
	cells: cellsOf(row).filter(({ actor, outcome }) => actor === 'A' && outcome !== '✓'),
}));

test.each(rowsForVisitors.filter(({ cells }) => cells.length > 0))('requires a session: $call', async ({ cells }) => {
	for (const cell of cells) await checkCell(fixture, cell);
});
