import { expect, test } from 'vitest';
import { capacityText, formatMegabytes, parseMegabytes, percentUsed, sizeText } from './storage-amounts.ts';

test('parseMegabytes converts MB to bytes, returns null for an empty text, and rejects invalid text', () => {
	expect(['1', ' 2.5 ', '0', '  '].map(parseMegabytes)).toEqual([1_048_576, 2_621_440, 0, null]);
	expect(['-1', 'many', '1e300'].map(parseMegabytes)).toEqual([undefined, undefined, undefined]);
	expect([2_621_440, 0, null].map(formatMegabytes)).toEqual(['2.5', '0', '']);
});

test('percentUsed returns a percentage only when there is a quota', () => {
	expect([percentUsed(50, 200), percentUsed(0, 0), percentUsed(300, 200)]).toEqual([25, 100, 150]);
	expect(percentUsed(5, null)).toBeUndefined();
});

test('sizeText and capacityText use a non-breaking space; only capacityText uses GB for 1 GB or more', () => {
	const gigabyte = 1024 ** 3;
	expect([39_444, 2 * gigabyte].map(sizeText)).toEqual(['38.52\u00a0KB', '2048.00\u00a0MB']);
	const capacities = [gigabyte - 1, gigabyte, 80_446_980_915].map(capacityText);
	expect(capacities).toEqual(['1024.00\u00a0MB', '1.00\u00a0GB', '74.92\u00a0GB']);
});
