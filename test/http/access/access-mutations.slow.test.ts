import { afterAll, expect, test } from 'vitest';
import { contract } from '#contract/contract.ts';
import { createAccessFixture } from '../../access/access-fixture.ts';
import { accessTable } from '../../access/access-table.ts';
import { cellsOf, checkCell } from '../../access/check-cell.ts';
import { listMutations } from '../../access/mutations.ts';
import { createSecondProcess } from '../../support/app/test-app.ts';

const fixture = await createAccessFixture();
afterAll(() => fixture.close());

test('listMutations returns at least 45 source edits that each remove an access check', () => {
	expect(listMutations().length).toBeGreaterThanOrEqual(45);
});

// This test tries only three mutations. `node scripts/access-mutations.mjs` tries all of them.
test.each([
	['GET /api/me', contract.account.me],
	['GET /api/spaces/:owner/nodes', contract.files.list],
	['GET /api/orders', contract.orders.list],
])('the access tests fail when %s is declared public', async (route, endpoint) => {
	const { meta } = endpoint['~orpc'];
	const { access } = meta;
	const cells = accessTable.flatMap(cellsOf).filter((cell) => cell.route === route && cell.outcome !== '✓');
	const countFailures = async () => {
		const checks = await Promise.allSettled(cells.map((cell) => checkCell(fixture, cell)));
		return checks.filter(({ status }) => status === 'rejected').length;
	};
	expect(cells.length).toBeGreaterThan(1);
	expect(await countFailures()).toBe(0);
	const { app } = fixture;
	meta.access = 'public';
	const secondApp = await createSecondProcess(fixture);
	try {
		fixture.app = secondApp.app;
		expect(await countFailures()).toBeGreaterThan(0);
	} finally {
		meta.access = access;
		fixture.app = app;
		await secondApp.close();
	}
});
