import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '#contract/contract.ts';
import { type AccessFixture, createAccessFixture } from '../../access/access-fixture.ts';
import { accessTable } from '../../access/access-table.ts';
import { cellsOf, checkCell } from '../../access/check-cell.ts';
import { listMutations } from '../../access/mutations.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';

let world: AccessFixture;
beforeAll(async () => {
	world = await createAccessFixture();
});
afterAll(() => world.close());

test('every check that the mutation run takes out is still there', () => {
	expect(listMutations().length).toBeGreaterThanOrEqual(45);
});

// The short form: three declarations. `node scripts/access-mutations.mjs` takes every check out in turn.
test.each([
	['GET /api/me', contract.account.me],
	['GET /api/spaces/:owner/nodes', contract.files.list],
	['GET /api/orders', contract.orders.list],
])('with %s opened to all, the access run is red', async (route, endpoint) => {
	const { meta } = endpoint['~orpc'];
	const { access } = meta;
	const cells = accessTable
		.flatMap((row) => cellsOf(row).cells)
		.filter((cell) => cell.route === route && cell.outcome !== '✓');
	const countRed = async () =>
		(await Promise.allSettled(cells.map((cell) => checkCell(world, cell)))).filter(
			({ status }) => status === 'rejected',
		).length;
	expect(cells.length).toBeGreaterThan(1);
	expect(await countRed()).toBe(0);
	const { app } = world;
	meta.access = 'public';
	const twin = await createSecondProcess(world);
	try {
		world.app = twin.app;
		expect(await countRed()).toBeGreaterThan(0);
	} finally {
		meta.access = access;
		world.app = app;
		await twin.close();
	}
});
