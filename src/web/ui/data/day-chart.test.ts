import { describe, expect, test } from 'vitest';
import { axisMaximum, dayTicks } from './day-chart.tsx';

test.each([
	[0, 2],
	[1, 2],
	[2, 2],
	[3, 4],
	[10, 10],
	[11, 20],
	[499, 600],
	[4491, 6000],
	[10_000, 10_000],
	[10_001, 20_000],
])('axisMaximum rounds a largest value of %d up to %d', (largest, top) => {
	expect(axisMaximum(largest)).toBe(top);
});

describe('dayTicks', () => {
	test.each([
		[30, 28],
		[30, 9],
		[90, 10],
		[90, 3],
		[366, 0.8],
		[7, 120],
		[1, 800],
	])('labels %d days of %d px each without overlap and within the chart', (count, band) => {
		const positions = dayTicks(count, band).map((index) => (index + 0.5) * band);
		expect(positions.length).toBeGreaterThan(0);
		for (const [index, position] of positions.entries()) {
			expect(position).toBeGreaterThanOrEqual(30);
			expect(position).toBeLessThanOrEqual(count * band - Math.min(30, band / 2) + 0.001);
			if (index > 0) expect(position - (positions[index - 1] ?? 0)).toBeGreaterThanOrEqual(60 - 0.001);
		}
	});

	test('returns no labels before the chart has a width', () => {
		expect(dayTicks(30, 0)).toEqual([]);
	});
});
