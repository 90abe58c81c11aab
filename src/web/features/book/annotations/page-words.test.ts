import { expect, test } from 'vitest';
import { findWordOnAdjacentLine } from './page-words.ts';

/** Three lines, with three, two and three words. */
const rects = [
	[0, 0],
	[50, 0],
	[100, 0],
	[0, 20],
	[90, 20],
	[0, 40],
	[40, 40],
	[95, 40],
].map(([left = 0, top = 0]) => ({ left, top, right: left + 30, bottom: top + 12 }));

test.each([
	[0, 1, 3],
	[2, 1, 4],
	[4, 1, 7],
	[6, -1, 3],
	[7, -1, 4],
])('from word %i, findWordOnAdjacentLine with step %i returns word %i', (from, step, to) => {
	expect(findWordOnAdjacentLine(rects, from, step as 1 | -1)).toBe(to);
});

test('findWordOnAdjacentLine returns the same word if there is no adjacent line', () => {
	expect(findWordOnAdjacentLine(rects, 6, 1)).toBe(6);
	expect(findWordOnAdjacentLine(rects, 1, -1)).toBe(1);
	expect(findWordOnAdjacentLine([], 0, 1)).toBe(0);
});
