import { expect, test } from 'vitest';
import type { SpaceUsage } from '#contract/files/spaces.ts';
import { newestMigration } from '#server/platform/database/migrations/migrate.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { diskWithSpaceForFiles, fakeDiskSpace } from '../../support/app/disk-space.ts';
import { readAllItems } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeUser } from '../../support/app/users.ts';
import { makeFile, makeFolder } from '../../support/fixtures/files.ts';

const { deps, admin } = await openTestApp();
const email = 'owner@example.com';
const ownerId = await makeUser(deps, email);

const file = (name: string, sizeBytes: number, folder?: { id: string; path: string }, owner = ownerId) =>
	makeFile(deps, { ownerId: owner, name, bytes: Buffer.alloc(sizeBytes), ...(folder && { folder }) });
const deleteNode = (id: string) => admin.call('DELETE', `/api/nodes/${id}`);

const spaces = (limit = 1000) => readAllItems<SpaceUsage>(admin, `/api/spaces?limit=${limit}`);
const trashOf = async (owner: string) => (await spaces()).find((space) => space.email === owner)?.trashBytes;

test('lists each space once across pages, the largest first, and spaces without bytes by email address', async () => {
	const ids: string[] = [];
	for (const name of ['zoe', 'amit', 'मीना', 'carl', 'dev']) ids.push(await makeUser(deps, `${name}@example.com`));
	await file('large.bin', 50, undefined, ids[3]);
	await file('small.bin', 20, undefined, ids[0]);
	await file('as-small.bin', 20, undefined, 'guest');
	// Spaces without bytes have a row when they have an empty file or a quota.
	await file('none.bin', 0, undefined, ids[4]);
	await admin.call('PUT', '/api/spaces/amit@example.com/quota', { quotaBytes: 7 });
	const all = await spaces();
	expect(all.slice(0, 3).map(({ usedBytes }) => usedBytes)).toEqual([50, 20, 20]);
	expect(new Set(all.slice(1, 3).map((space) => space.email))).toEqual(new Set(['zoe@example.com', 'guest']));
	expect(all.slice(3).map((space) => [space.email, space.fileCount, space.quotaBytes])).toEqual([
		['admin@example.com', 0, null],
		['amit@example.com', 0, 7],
		['book', 0, null],
		['dev@example.com', 1, null],
		[email, 0, null],
		['मीना@example.com', 0, null],
	]);
	for (const limit of [1, 2, 3, 4]) expect(await spaces(limit), `page size ${limit}`).toEqual(all);
});

test('counts deleted bytes once, until they are restored or purged', async () => {
	const outer = await makeFolder(deps, email, 'Outer');
	const inner = await makeFolder(deps, email, 'Inner', outer.path);
	const beside = await makeFolder(deps, email, 'Beside');
	const alone = await file('alone.bin', 1, outer);
	await file('outer.bin', 10, outer);
	await file('inner.bin', 100, inner);
	await file('beside.bin', 1000, beside);
	expect(await trashOf(email)).toBe(0);
	for (const [id, bytes] of [
		[alone, 1],
		[inner.id, 101],
		[outer.id, 111],
	] as const) {
		await deleteNode(id);
		expect(await trashOf(email)).toBe(bytes);
	}
	const quota = await admin.call('PUT', `/api/spaces/${email}/quota`, { quotaBytes: null });
	expect(quota.json()).toMatchObject({ usedBytes: 1111, trashBytes: 111 });
	await admin.call('POST', `/api/trash/${outer.id}/restore`, {});
	expect(await trashOf(email), 'the file and the inner folder were deleted separately').toBe(101);
	await admin.call('POST', `/api/spaces/${email}/trash/empty`, {});
	expect(await trashOf(email)).toBe(0);
});

test('returns the free bytes, and the versions of Folio and of the database', async () => {
	fakeDiskSpace(deps, diskWithSpaceForFiles(12_345_678));
	const { totals, version } = (await admin.call('GET', '/api/spaces')).json();
	expect(totals.freeBytes).toBe(12_345_678);
	expect(version).toEqual({ program: packageJson.version, database: newestMigration });
});
