import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkRange, chunkSizeBytes, countChunks, splitRangeByChunk } from './offline-chunks.ts';

test('chunkRange assigns each byte of a file to exactly one chunk', () => {
	const size = 2 * chunkSizeBytes + 7;
	expect(countChunks(size)).toBe(3);
	expect([0, 1, 2, 3].map((index) => chunkRange(index, size))).toEqual([
		{ start: 0, end: chunkSizeBytes - 1 },
		{ start: chunkSizeBytes, end: 2 * chunkSizeBytes - 1 },
		{ start: 2 * chunkSizeBytes, end: size - 1 },
		undefined,
	]);
	expect(countChunks(chunkSizeBytes)).toBe(1);
});

test('splitRangeByChunk returns consecutive parts without gaps', () => {
	expect(splitRangeByChunk({ start: 5, end: 9 })).toEqual([{ index: 0, from: 5, to: 10 }]);
	expect(splitRangeByChunk({ start: chunkSizeBytes - 1, end: chunkSizeBytes })).toEqual([
		{ index: 0, from: chunkSizeBytes - 1, to: chunkSizeBytes },
		{ index: 1, from: 0, to: 1 },
	]);
	fc.assert(
		fc.property(fc.nat(5 * chunkSizeBytes), fc.nat(3 * chunkSizeBytes), (start, more) => {
			const slices = splitRangeByChunk({ start, end: start + more });
			const bytes = slices.map(
				({ index, from, to }) => [index * chunkSizeBytes + from, index * chunkSizeBytes + to] as const,
			);
			expect(bytes[0]?.[0]).toBe(start);
			expect(bytes.at(-1)?.[1]).toBe(start + more + 1);
			for (const [index, [from, to]] of bytes.entries()) {
				expect(to).toBeGreaterThan(from);
				expect(bytes[index + 1]?.[0] ?? to).toBe(to);
			}
		}),
	);
});
