import { afterAll, expect, test } from 'vitest';
import { contract } from '#contract/contract.ts';
import { createAccessFixture } from '../../access/access-fixture.ts';
import { accessTable } from '../../access/access-table.ts';
import { cellsOf, checkCell } from '../../access/check-cell.ts';
import { listMutations } from '../../access/mutations.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';

const world = await createAccessFixture();
afterAll(() => world.close());

test('listMutations finds the access checks that the mutation run removes', () => {
	expect(listMutations().length).toBeGreaterThanOrEqual(45);
});

// Three declarations as a short form; `node scripts/access-mutations.mjs` removes every access check in turn.
test.each([
	['GET /api/me', contract.account.me],
	['GET /api/spaces/:owner/nodes', contract.files.list],
	['GET /api/orders', contract.orders.list],
])('the access tests fail when %s is declared public', async (route, endpoint) => {
	const { meta } = endpoint['~orpc'];
	const { access } = meta;
	const cells = accessTable
		.flatMap((row) => cellsOf(row).cells)
		.filter((cell) => cell.route === route && cell.outcome !== '✓');
	const countRed = async () => {
		const checks = await Promise.allSettled(cells.map((cell) => checkCell(world, cell)));
		return checks.filter(({ status }) => status === 'rejected').length;
	};
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
