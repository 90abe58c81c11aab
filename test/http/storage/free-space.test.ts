import { expect, test } from 'vitest';
import { getFreeBytes, requireDatabaseSpace, requireFreeSpace } from '#server/platform/storage/free-space.ts';
import { diskWithSpaceForFiles, fakeDiskSpace } from '../../support/app/disk-space.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';

const { deps, admin } = await openTestApp();

test('requireFreeSpace accepts bytes up to the reserve for purchases and refuses more', async () => {
	fakeDiskSpace(deps, diskWithSpaceForFiles(1000));
	await requireFreeSpace(deps.storage, 1000);
	await expect(requireFreeSpace(deps.storage, 1001)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
});

test('requireDatabaseSpace refuses SQLite rows that would use the reserve, but no PostgreSQL rows', async () => {
	fakeDiskSpace(deps, diskWithSpaceForFiles(0));
	const refused = requireDatabaseSpace(deps, 1);
	if (deps.connection.kind === 'sqlite') await expect(refused).rejects.toMatchObject({ code: 'STORAGE_FULL' });
	else await refused;
	fakeDiskSpace(deps, diskWithSpaceForFiles(1000));
	await requireDatabaseSpace(deps, 1000);
});

test('GET /api/spaces reports the bytes that files may still use', async () => {
	fakeDiskSpace(deps, diskWithSpaceForFiles(12_345_678));
	expect((await admin.call('GET', '/api/spaces')).json().totals.freeBytes).toBe(12_345_678);
	expect(await getFreeBytes(deps.storage)).toBe(12_345_678);
});
