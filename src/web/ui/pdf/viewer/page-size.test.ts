import { expect, test } from 'vitest';
import { classifyRangeResponse } from '../document/range-requests.ts';
import { calculateCanvasScale, calculatePageWidth, clampPage, percentRead, stepZoom } from './page-size.ts';
import { swipeDirection, tapDirection } from './use-page-navigation.ts';

test('clampPage returns a page number between 1 and the last page', () => {
	expect([0, -3, 1, 5.9, 11, 12, Number.NaN, Number.POSITIVE_INFINITY].map((page) => clampPage(page, 11))).toEqual([
		1, 1, 1, 5, 11, 11, 1, 1,
	]);
	expect(clampPage(3, 0)).toBe(1);
});

test('percentRead returns 0 on the first page and 100 on the last page', () => {
	expect([1, 6, 11, 99].map((page) => percentRead(page, 11))).toEqual([0, 50, 100, 100]);
	expect(percentRead(1, 1)).toBe(100);
});

test('stepZoom returns the next zoom level within the limits', () => {
	expect(stepZoom(1, 1)).toBe(1.25);
	expect(stepZoom(1, -1)).toBe(0.75);
	expect(stepZoom(3, 1)).toBe(3);
	expect(stepZoom(0.5, -1)).toBe(0.5);
	expect([stepZoom('text', 1), stepZoom('text', -1), stepZoom('page', 1)]).toEqual([1.5, 1.25, 1.25]);
});

test('a page is at most 668 px wide and fits a phone, and its canvas has at most 12 million pixels', () => {
	expect(calculatePageWidth({ widthPx: 1100, heightPx: 800 }, 1, 1.5)).toBe(668);
	expect(calculatePageWidth({ widthPx: 366, heightPx: 600 }, 1, 1.5)).toBe(366);
	expect(calculatePageWidth({ widthPx: 366, heightPx: 600 }, 2, 1.5)).toBe(732);
	expect(calculatePageWidth({ widthPx: 1100, heightPx: 750 }, 'page', 1.5)).toBe(500);
	expect(calculatePageWidth({ widthPx: 366, heightPx: 750 }, 'page', 1.5)).toBe(366);
	expect(calculateCanvasScale(366, 550, 3)).toBe(3);
	const ratio = calculateCanvasScale(2004, 3017, 3);
	expect(2004 * ratio * 3017 * ratio).toBeLessThanOrEqual(12_000_001);
});

test.each([
	['take', [206]],
	['denied', [401, 403, 404]],
	['again', [0, 429, 503]],
	['failed', [200, 416]],
] as const)('classifyRangeResponse returns %s for the statuses %j', (verdict, statuses) => {
	for (const status of statuses) expect(classifyRangeResponse(status)).toBe(verdict);
});

test('swipeDirection returns 0 for a short or vertical swipe', () => {
	expect(swipeDirection(-80, 10)).toBe(1);
	expect(swipeDirection(80, -10)).toBe(-1);
	expect(swipeDirection(-30, 0)).toBe(0);
	expect(swipeDirection(-80, 70)).toBe(0);
});

test('tapDirection returns a direction for taps at the sides and 0 for taps in the middle', () => {
	expect([0.05, 0.24, 0.3, 0.7, 0.76, 1].map(tapDirection)).toEqual([-1, -1, 0, 0, 1, 1]);
});
