import { expect, test } from 'vitest';
import { diskWithSpaceForFiles } from '../../../../test/support/app/disk-space.ts';
import {
	checkoutReserveBytes,
	databaseReserveBytes,
	freeBytesFor,
	requireDatabaseSpace,
	requireFreeSpace,
} from './free-space.ts';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

test('checkoutReserveBytes returns 192 MiB, or a tenth of a small disk', () => {
	const reserveOf = (totalBytes: number) => checkoutReserveBytes({ totalBytes, freeBytes: 0 });
	expect([reserveOf(60 * gibibyte), reserveOf(1000 * mebibyte)]).toEqual([192 * mebibyte, 100 * mebibyte]);
});

test('freeBytesFor subtracts both reserves for files and only the database reserve for checkout', () => {
	const space = { totalBytes: 60 * gibibyte, freeBytes: gibibyte };
	expect(freeBytesFor('checkout', space)).toBe(gibibyte - databaseReserveBytes);
	expect(freeBytesFor('files', space)).toBe(gibibyte - databaseReserveBytes - 192 * mebibyte);
	expect(freeBytesFor('files', { ...space, freeBytes: 200 * mebibyte })).toBe(0);
	expect(freeBytesFor('checkout', { ...space, freeBytes: 200 * mebibyte })).toBe(136 * mebibyte);
});

test('requireFreeSpace and requireDatabaseSpace refuse bytes that would use a reserve, except for rows in PostgreSQL', async () => {
	const getDiskSpace = async () => diskWithSpaceForFiles(1000);
	const requireRows = (kind: 'sqlite' | 'postgres', sizeBytes: number) =>
		requireDatabaseSpace({ connection: { kind }, getDataDiskSpace: getDiskSpace }, sizeBytes);
	await Promise.all([
		requireFreeSpace({ getDiskSpace }, 1000),
		requireRows('sqlite', 1000),
		requireRows('postgres', 1001),
	]);
	for (const refused of [requireFreeSpace({ getDiskSpace }, 1001), requireRows('sqlite', 1001)])
		await expect(refused).rejects.toMatchObject({ code: 'STORAGE_FULL' });
});
