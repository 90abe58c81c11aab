import { expect, test } from 'vitest';
import {
	capacityText,
	formatMegabytes,
	parseMegabytes,
	parseWholeNumber,
	percentUsed,
	sizeText,
} from './storage-amounts.ts';

test('parseMegabytes reads quotas in MB, an empty text as no limit, and rejects invalid text', () => {
	expect([parseMegabytes('1'), parseMegabytes(' 2.5 '), parseMegabytes('0'), parseMegabytes('  ')]).toEqual([
		1_048_576,
		2_621_440,
		0,
		null,
	]);
	expect([parseMegabytes('-1'), parseMegabytes('many'), parseMegabytes('1e300')]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
	expect([formatMegabytes(2_621_440), formatMegabytes(0), formatMegabytes(null)]).toEqual(['2.5', '0', '']);
});

test('parseWholeNumber accepts only whole numbers within the bounds', () => {
	expect([parseWholeNumber('1', 1, 30), parseWholeNumber('30', 1, 30)]).toEqual([1, 30]);
	expect(['0', '31', '1.5', '', 'x'].map((typed) => parseWholeNumber(typed, 1, 30))).toEqual(Array(5).fill(undefined));
});

test('percentUsed returns a percentage only when there is a quota', () => {
	expect([percentUsed(50, 200), percentUsed(0, 0), percentUsed(5, null), percentUsed(300, 200)]).toEqual([
		25,
		100,
		undefined,
		150,
	]);
});

test('sizes have no line break inside, and only capacityText uses GB, from 1 GB on', () => {
	const gigabyte = 1024 ** 3;
	expect([sizeText(39_444), sizeText(2 * gigabyte)]).toEqual(['38.52\u00a0KB', '2048.00\u00a0MB']);
	expect([capacityText(gigabyte - 1), capacityText(gigabyte), capacityText(80_446_980_915)]).toEqual([
		'1024.00\u00a0MB',
		'1.00\u00a0GB',
		'74.92\u00a0GB',
	]);
});
