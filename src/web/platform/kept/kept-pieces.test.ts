import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countPieces, parseRange, pieceBytes, rangeOfPiece, slicesOf } from './kept-pieces.ts';

test('the pieces of a file hold each of its bytes once', () => {
	const size = 2 * pieceBytes + 7;
	expect(countPieces(size)).toBe(3);
	expect([0, 1, 2, 3].map((index) => rangeOfPiece(index, size))).toEqual([
		{ start: 0, end: pieceBytes - 1 },
		{ start: pieceBytes, end: 2 * pieceBytes - 1 },
		{ start: 2 * pieceBytes, end: size - 1 },
		undefined,
	]);
	expect(countPieces(pieceBytes)).toBe(1);
});

test('a range lies in its pieces, in order and without a gap', () => {
	expect(slicesOf({ start: 5, end: 9 })).toEqual([{ piece: 0, from: 5, to: 10 }]);
	expect(slicesOf({ start: pieceBytes - 1, end: pieceBytes })).toEqual([
		{ piece: 0, from: pieceBytes - 1, to: pieceBytes },
		{ piece: 1, from: 0, to: 1 },
	]);
	fc.assert(
		fc.property(fc.nat(5 * pieceBytes), fc.nat(3 * pieceBytes), (start, more) => {
			const slices = slicesOf({ start, end: start + more });
			const bytes = slices.map(({ piece, from, to }) => [piece * pieceBytes + from, piece * pieceBytes + to] as const);
			expect(bytes[0]?.[0]).toBe(start);
			expect(bytes.at(-1)?.[1]).toBe(start + more + 1);
			for (const [index, [from, to]] of bytes.entries()) {
				expect(to).toBeGreaterThan(from);
				expect(bytes[index + 1]?.[0] ?? to).toBe(to);
			}
		}),
	);
});

test.each([
	['bytes=0-0', { start: 0, end: 0 }],
	['bytes=10-19', { start: 10, end: 19 }],
	['bytes=90-', { start: 90, end: 99 }],
	['bytes=90-4000', { start: 90, end: 99 }],
	['bytes=-10', { start: 90, end: 99 }],
	['bytes=-4000', { start: 0, end: 99 }],
	['bytes=100-', 'unsatisfiable'],
	['bytes=-0', 'unsatisfiable'],
	['bytes=20-10', null],
	['bytes=-', null],
	['bytes=0-1,4-5', null],
	['items=0-1', null],
	[null, null],
])('%s of 100 bytes', (header, range) => {
	expect(parseRange(header, 100)).toEqual(range);
});
