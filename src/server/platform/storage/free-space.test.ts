import { expect, test } from 'vitest';
import { checkoutReserveBytes, databaseReserveBytes, freeBytesFor } from './free-space.ts';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

test('checkoutReserveBytes is 192 MiB, or a tenth of the disk when that is less', () => {
	const reserveOf = (totalBytes: number) => checkoutReserveBytes({ totalBytes, freeBytes: 0 });
	expect([reserveOf(60 * gibibyte), reserveOf(1000 * mebibyte)]).toEqual([192 * mebibyte, 100 * mebibyte]);
});

test('freeBytesFor subtracts both reserves for files and only the database reserve for purchases', () => {
	const space = { totalBytes: 60 * gibibyte, freeBytes: gibibyte };
	expect(freeBytesFor('purchase', space)).toBe(gibibyte - databaseReserveBytes);
	expect(freeBytesFor('files', space)).toBe(gibibyte - databaseReserveBytes - 192 * mebibyte);
	expect(freeBytesFor('files', { ...space, freeBytes: 200 * mebibyte })).toBe(0);
	expect(freeBytesFor('purchase', { ...space, freeBytes: 200 * mebibyte })).toBe(136 * mebibyte);
});
