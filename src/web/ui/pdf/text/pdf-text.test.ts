import { describe, expect, test } from 'vitest';
import { decodeTextString, joinPieces } from './pdf-text.ts';
import { excerptAround, findInText } from './text-search.ts';

type Items = Parameters<typeof joinPieces>[0]['items'];

const styles = {};
function piece(
	str: string,
	x: number,
	{ width = str.length * 5, height = 10, y = 700, hasEOL = false } = {},
): Items[number] {
	return { str, dir: 'ltr', width, height, transform: [10, 0, 0, 10, x, y], fontName: 'f1', hasEOL };
}
const begin = (tag: string, actualText: string | null = null): Items[number] =>
	({ type: 'beginMarkedContentProps', id: '', tag, actualText }) as unknown as Items[number];
const end: Items[number] = { type: 'endMarkedContent', id: '' };
const utf16 = (text: string) =>
	`\u00fe\u00ff${[...text].map((sign) => String.fromCharCode(sign.charCodeAt(0) >> 8, sign.charCodeAt(0) & 255)).join('')}`;
const read = (items: Items) => joinPieces({ items, styles, lang: null });

describe('joinPieces', () => {
	test('joins Devanagari glyphs into words and uses their ActualText', () => {
		const word = read([
			begin('Span', utf16('वि')),
			piece('', 50, { width: 0, height: 0, hasEOL: true }),
			piece('\0व', 50, { width: 8 }),
			end,
			begin('Span', utf16('श्वा')),
			piece('\0', 58, { width: 6 }),
			piece('ा', 64, { width: 3 }),
			end,
			piece('स', 67, { width: 5 }),
			begin('Span', utf16('है')),
			piece(' ', 72, { width: 3, height: 0 }),
			piece('है', 75, { width: 8 }),
			end,
			begin('Span', utf16('कि')),
			piece('', 50, { width: 0, height: 0, y: 680, hasEOL: true }),
			piece('\0क', 50, { width: 8, y: 680 }),
			end,
		]);
		expect(word.runs.map(({ str }) => str)).toEqual(['विश्वास ', 'है', 'कि']);
		expect(word.runs[0]?.width).toBe(22);
		expect(word.text).toBe('विश्वास है\nकि');
		expect(word.starts).toEqual([0, 8, 11]);
	});

	test('measures the width of a word over all its glyphs in any order, without the space after the word', () => {
		const page = read([
			begin('Span', utf16('र्कि')),
			piece('क', 58, { width: 8 }),
			piece('\0', 52, { width: 6 }),
			piece('\0', 60, { width: 3 }),
			end,
			piece(' ', 66, { width: 3, height: 0 }),
			begin('Span', utf16('दो शब्द')),
			piece('दो', 69, { width: 6 }),
			piece(' ', 75, { width: 3, height: 0 }),
			piece('शब्द', 78, { width: 12 }),
			end,
		]);
		expect(page.runs.map(({ str, transform, width }) => [str, transform[4], width])).toEqual([
			['र्कि ', 52, 14],
			['दो शब्द', 69, 21],
		]);
		expect(page.content.items).toMatchObject([{ str: 'र्कि' }, { str: 'दो शब्द' }]);
		expect(page.text).toBe('र्कि दो शब्द');
	});

	describe('with a line that is a single piece', () => {
		const line = (str: string, gaps: number[], transform = [10, 0, 0, 10, 50, 700]) =>
			({ str, dir: 'ltr', width: 60, height: 10, transform, fontName: 'f1', hasEOL: true, gaps }) as Items[number];
		const positionsOf = (item: Items[number]) =>
			read([item]).runs.map(({ str, transform, width, hasEOL }) => [str, transform[4], width, hasEOL]);

		test('splits the line into words with correct positions', () => {
			expect(positionsOf(line('One two three', [15, 3, 33, 4]))).toEqual([
				['One ', 50, 15, false],
				['two ', 68, 15, false],
				['three', 87, 23, true],
			]);
			expect(read([line('One two three', [15, 3, 33, 4])]).text).toBe('One two three\n');
		});

		test('does not split a line that is right-to-left or rotated, or whose number of gaps is wrong', () => {
			for (const whole of [
				line('שלום עולם 2024', [15, 3, 33, 4]),
				line('ﻛﺘﺎﺏ ﻋﺎﻟﻢ ab', [15, 3, 33, 4]),
				line('One two three', [15, 3, 33, 4], [0, 10, -10, 0, 50, 700]),
				line('One two three four', [15, 3, 33, 4]),
			])
				expect(positionsOf(whole)).toHaveLength(1);
		});

		test('does not split lines on a page with thousands of words', () => {
			const lines = Array.from({ length: 1000 }, () => line('One two three', [15, 3, 33, 4]));
			expect(read(lines).runs).toHaveLength(1000);
		});
	});

	test('separates lines and columns in the text', () => {
		const page = read([piece('left', 50), piece('right', 300), piece('below', 50, { y: 680 })]);
		expect(page.text).toBe('left right below');
		expect(page.runs).toHaveLength(3);
	});

	test('includes a running header in the text layer, but not in the text', () => {
		const page = read([begin('Artifact'), piece('Chapter 2', 50), end, begin('P'), piece('Once', 50, { y: 600 }), end]);
		expect(page.text).toBe('Once');
		expect(page.starts).toEqual([-1, 0]);
		expect(page.content.items).toHaveLength(4);
	});

	test('decodeTextString reads UTF-16 after a byte order mark and single bytes otherwise', () => {
		expect(decodeTextString(utf16('अ'))).toBe('अ');
		expect(decodeTextString('ff')).toBe('ff');
	});
});

describe('text search', () => {
	const matchesIn = (text: string, query: string) =>
		findInText(text, query).map(({ start, end }) => text.slice(start, end));

	test('ignores case, accents, nuktas, white space, and differences between quotes or digits of several scripts', () => {
		expect(matchesIn('The Café opens. CAFE closed', 'cafe')).toEqual(['Café', 'CAFE']);
		expect(matchesIn('ज़मीन और जमीन', 'जमीन')).toEqual(['ज़मीन', 'जमीन']);
		expect(matchesIn('ज़मीन', 'ज़मीन')).toEqual(['ज़मीन']);
		expect(matchesIn('पन्ना १२', '12')).toEqual(['१२']);
		expect(matchesIn('don’t stop\nhere', "don't  stop here")).toEqual(['don’t stop\nhere']);
		expect(matchesIn('हाँ', 'हां')).toEqual(['हाँ']);
	});

	test('returns no matches for a blank query, and no overlapping matches', () => {
		expect(matchesIn('text', '  ')).toEqual([]);
		expect(matchesIn('aaaa', 'aa')).toEqual(['aa', 'aa']);
		expect(matchesIn('😀 smile 😀', '😀')).toEqual(['😀', '😀']);
	});

	test('excerptAround returns the text around a match', () => {
		const text = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
		const [span] = findInText(text, 'eight');
		expect(span && excerptAround(text, span, 12)).toEqual({
			before: '…six seven ',
			found: 'eight',
			after: ' nine ten…',
		});
	});
});
