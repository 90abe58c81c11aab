import { expect, test } from 'vitest';
import { parseFinishedPageNumber, parsePageNumber } from './page-jump.tsx';

test.each([
	['1', 1],
	[' 112 ', 112],
	['१०', 10],
	['007', 7],
])('%j is a page', (text, page) => {
	expect(parsePageNumber(text, 112)).toBe(page);
});

test.each(['', '0', '113', '-1', '2.5', '1e2', 'x', '12345678'])('%j is none', (text) => {
	expect(parsePageNumber(text, 112)).toBeNull();
});

test.each([
	['100', 112, 100],
	['12', 112, 12],
	['२६', 27, 26],
	['3', 27, 3],
])('nothing can follow %j among %d pages', (text, pageCount, page) => {
	expect(parseFinishedPageNumber(text, pageCount)).toBe(page);
});

test.each([
	['1', 112],
	['10', 112],
	['11', 112],
	['2', 27],
	['113', 112],
	['', 27],
])('%j may go on among %d pages, or is none of them', (text, pageCount) => {
	expect(parseFinishedPageNumber(text, pageCount)).toBeNull();
});
