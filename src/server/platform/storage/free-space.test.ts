import { expect, test } from 'vitest';
import { checkoutReserveBytes, databaseReserveBytes, freeBytesFor } from './free-space.ts';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

test('the reserve for purchases is 192 MiB, and a tenth of a disk on which that would be more', () => {
	const reserveOf = (totalBytes: number) => checkoutReserveBytes({ totalBytes, freeBytes: 0 });
	expect([reserveOf(60 * gibibyte), reserveOf(1000 * mebibyte)]).toEqual([192 * mebibyte, 100 * mebibyte]);
});

test('files leave both reserves alone, and purchases that of the database', () => {
	const space = { totalBytes: 60 * gibibyte, freeBytes: gibibyte };
	expect(freeBytesFor('purchase', space)).toBe(gibibyte - databaseReserveBytes);
	expect(freeBytesFor('files', space)).toBe(gibibyte - databaseReserveBytes - 192 * mebibyte);
	expect(freeBytesFor('files', { ...space, freeBytes: 200 * mebibyte })).toBe(0);
	expect(freeBytesFor('purchase', { ...space, freeBytes: 200 * mebibyte })).toBe(136 * mebibyte);
});
