import { expect, test } from 'vitest';
import { parseFinishedPageNumber, parsePageNumber } from './page-jump.tsx';

test.each<[string, number | null]>([
	['1', 1],
	[' 112 ', 112],
	['१०', 10],
	['007', 7],
	...['', '0', '113', '-1', '2.5', '1e2', 'x', '12345678'].map((text): [string, null] => [text, null]),
])('parsePageNumber parses %j as %j', (text, page) => {
	expect(parsePageNumber(text, 112)).toBe(page);
});

test.each([
	['100', 112, 100],
	['12', 112, 12],
	['२६', 27, 26],
	['3', 27, 3],
	['1', 112, null],
	['10', 112, null],
	['11', 112, null],
	['2', 27, null],
	['113', 112, null],
	['', 27, null],
])(
	'parseFinishedPageNumber ignores numbers that a further digit may follow: for %j of %d pages it returns %j',
	(text, pageCount, page) => {
		expect(parseFinishedPageNumber(text, pageCount)).toBe(page);
	},
);
