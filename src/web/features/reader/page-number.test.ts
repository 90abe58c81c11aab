import { expect, test } from 'vitest';
import { readPageNumber } from './page-number.ts';

test.each([
	['1', 1],
	[' 112 ', 112],
	['१०', 10],
	['007', 7],
])('%j is a page', (text, page) => {
	expect(readPageNumber(text, 112)).toBe(page);
});

test.each(['', '0', '113', '-1', '2.5', '1e2', 'x', '12345678'])('%j is none', (text) => {
	expect(readPageNumber(text, 112)).toBeNull();
});
