import { expect, test } from 'vitest';
import { parseFinishedPageNumber, parsePageNumber } from './page-jump.tsx';

test.each([
	['1', 1],
	[' 112 ', 112],
	['१०', 10],
	['007', 7],
])('parsePageNumber reads %j as a page number', (text, page) => {
	expect(parsePageNumber(text, 112)).toBe(page);
});

test.each(['', '0', '113', '-1', '2.5', '1e2', 'x', '12345678'])('parsePageNumber rejects %j', (text) => {
	expect(parsePageNumber(text, 112)).toBeNull();
});

test.each([
	['100', 112, 100],
	['12', 112, 12],
	['२६', 27, 26],
	['3', 27, 3],
])('parseFinishedPageNumber reads %j of %d pages as complete because no digit can follow', (text, pageCount, page) => {
	expect(parseFinishedPageNumber(text, pageCount)).toBe(page);
});

test.each([
	['1', 112],
	['10', 112],
	['11', 112],
	['2', 27],
	['113', 112],
	['', 27],
])('parseFinishedPageNumber reads %j of %d pages as incomplete or invalid', (text, pageCount) => {
	expect(parseFinishedPageNumber(text, pageCount)).toBeNull();
});
