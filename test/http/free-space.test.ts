import { afterAll, beforeAll, expect, test } from 'vitest';
import { getFreeBytes, requireDatabaseSpace, requireFreeSpace } from '#server/platform/storage/free-space.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { fakeDiskSpace, spaceForFiles } from '../support/disk-space.ts';
import { joinWorld } from '../support/people.ts';

let world: TestApp;
beforeAll(async () => {
	world = await createTestApp();
});
afterAll(() => world.close());

test('files are taken until they would touch the reserve for purchases', async () => {
	const { deps } = world;
	fakeDiskSpace(deps, spaceForFiles(1000));
	await requireFreeSpace(deps.storage, 1000);
	await expect(requireFreeSpace(deps.storage, 1001)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
});

test('rows of the embedded database leave the reserves alone too; PostgreSQL has a disk of its own', async () => {
	const { deps } = world;
	fakeDiskSpace(deps, spaceForFiles(0));
	const refused = requireDatabaseSpace(deps, 1);
	if (deps.connection.kind === 'sqlite') await expect(refused).rejects.toMatchObject({ code: 'STORAGE_FULL' });
	else await refused;
	fakeDiskSpace(deps, spaceForFiles(1000));
	await requireDatabaseSpace(deps, 1000);
});

test('the owner is told what files may use', async () => {
	const { client } = await joinWorld(world, 'owner@example.com', 'admin');
	fakeDiskSpace(world.deps, spaceForFiles(12_345_678));
	expect((await client.call('GET', '/api/spaces')).json().totals.freeBytes).toBe(12_345_678);
	expect(await getFreeBytes(world.deps.storage)).toBe(12_345_678);
});
