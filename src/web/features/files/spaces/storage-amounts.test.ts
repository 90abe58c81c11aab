import { expect, test } from 'vitest';
import { formatMegabytes, parseMegabytes, percentUsed } from './storage-amounts.ts';

test('parseMegabytes converts MB to bytes, returns null for an empty text, and rejects invalid text', () => {
	expect(['1', ' 2.5 ', '0', '  '].map(parseMegabytes)).toEqual([1_048_576, 2_621_440, 0, null]);
	expect(['-1', 'many', '1e300'].map(parseMegabytes)).toEqual([undefined, undefined, undefined]);
	expect([2_621_440, 0, null].map(formatMegabytes)).toEqual(['2.5', '0', '']);
});

test('percentUsed returns a percentage only when there is a quota', () => {
	expect([percentUsed(50, 200), percentUsed(0, 0), percentUsed(300, 200)]).toEqual([25, 100, 150]);
	expect(percentUsed(5, null)).toBeUndefined();
});
