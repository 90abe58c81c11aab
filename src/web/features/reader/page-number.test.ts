import { expect, test } from 'vitest';
import { readPageNumber, readWholeNumber } from './page-number.ts';

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

test.each([
	['100', 112, 100],
	['12', 112, 12],
	['२६', 27, 26],
	['3', 27, 3],
])('nothing can follow %j among %d pages', (text, pageCount, page) => {
	expect(readWholeNumber(text, pageCount)).toBe(page);
});

test.each([
	['1', 112],
	['10', 112],
	['11', 112],
	['2', 27],
	['113', 112],
	['', 27],
])('%j may go on among %d pages, or is none of them', (text, pageCount) => {
	expect(readWholeNumber(text, pageCount)).toBeNull();
});
