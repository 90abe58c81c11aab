import { expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { partBytesOf } from './part-writer.ts';

const mebibyte = 1024 * 1024;

test('partBytesOf returns a size with which the largest upload has at most 5,000 parts', () => {
	const minimum = 5 * mebibyte;
	expect(partBytesOf(1, minimum)).toBe(8 * mebibyte);
	expect(partBytesOf(39 * 1024 * mebibyte, minimum)).toBe(8 * mebibyte);
	const largest = partBytesOf(limits.uploadMaxBytes, minimum);
	expect(largest).toBe(11 * mebibyte);
	expect(limits.uploadMaxBytes / largest).toBeLessThanOrEqual(5000);
	expect(partBytesOf(1, 100 * mebibyte)).toBe(100 * mebibyte);
});
