import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Insert, readSplicedBytes } from './spliced-bytes.ts';

const base = Buffer.from(Array.from({ length: 60 }, (_, i) => i));
const parts = Buffer.from(Array.from({ length: 60 }, (_, i) => 100 + i));

/** A storage with the base and the parts, which returns streams with chunks of this size and counts the reads. */
function createStorage(chunkBytes: number) {
	const reads: string[] = [];
	const streams: Readable[] = [];
	return {
		reads,
		streams,
		async read(key: string, { start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) {
			reads.push(key);
			const bytes = (key === 'base' ? base : parts).subarray(start, end + 1);
			const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
				bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
			);
			const stream = Readable.from(chunks, { objectMode: false });
			streams.push(stream);
			return stream;
		},
	};
}

function join(inserts: readonly Insert[]): Buffer {
	let [position, own] = [0, 0];
	const pieces = inserts.flatMap(([at, length]) => {
		const pair = [base.subarray(position, at), parts.subarray(own, own + length)];
		[position, own] = [at, own + length];
		return pair;
	});
	return Buffer.concat([...pieces, base.subarray(position)]);
}

const insertLists = fc
	.array(fc.tuple(fc.integer({ min: 0, max: base.length }), fc.integer({ min: 1, max: 10 })), { maxLength: 6 })
	.map((inserts): Insert[] => inserts.sort(([a], [b]) => a - b));

test('readSplicedBytes returns the bytes of every range, with at most one read of the base and one of the parts', async () => {
	const ranges = fc.tuple(fc.nat(119), fc.nat(119));
	await fc.assert(
		fc.asyncProperty(insertLists, ranges, fc.integer({ min: 1, max: 70 }), async (inserts, [a, b], chunkBytes) => {
			const whole = join(inserts);
			const [start = 0, end = 0] = [a % whole.length, b % whole.length].sort((x, y) => x - y);
			const spliced = { baseKey: 'base', baseBytes: base.length, partsKey: 'parts', inserts };
			const storage = createStorage(chunkBytes);
			expect(await buffer(await readSplicedBytes(storage, spliced, { start, end }))).toEqual(
				whole.subarray(start, end + 1),
			);
			expect(new Set(storage.reads).size).toBe(storage.reads.length);
			expect(await buffer(await readSplicedBytes(storage, spliced))).toEqual(whole);
		}),
		{ numRuns: 2000 },
	);
});

test('readSplicedBytes reads only the base for a range without parts, and ends its reads when its stream is destroyed', async () => {
	const storage = createStorage(10);
	const spliced = { baseKey: 'base', baseBytes: base.length, partsKey: 'parts', inserts: [[30, 5]] satisfies Insert[] };
	await buffer(await readSplicedBytes(storage, spliced, { start: 35, end: 50 }));
	expect(storage.reads).toEqual(['base']);
	const stream = await readSplicedBytes(storage, spliced);
	stream.destroy();
	await expect.poll(() => storage.streams.every(({ destroyed }) => destroyed)).toBe(true);
});
