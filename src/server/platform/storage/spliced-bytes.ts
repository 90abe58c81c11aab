import { type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '#shared/byte-ranges.ts';
import type { Storage } from './storage.ts';

/** Inserts the next `length` bytes of the parts before byte `at` of the base. Inserts are in the order of `at`. */
export type Insert = [at: number, length: number];

/**
 * The bytes of a file that is stored as a base, which several files share, and parts, which are inserted into the base
 * and belong to this file alone. The object `partsKey` contains all parts, one after the other.
 */
export interface SplicedBytes {
	baseKey: string;
	baseBytes: number;
	partsKey: string;
	inserts: readonly Insert[];
}

/**
 * Reads spliced bytes or a range of them. Reads the base and the parts at most once; a range without parts is one read
 * of the base. The parts are held in memory.
 * @throws Error with code ENOENT when a key does not exist
 */
export async function readSplicedBytes(
	storage: Pick<Storage, 'read'>,
	{ baseKey, baseBytes, partsKey, inserts }: SplicedBytes,
	range: ByteRange = { start: 0, end: baseBytes + inserts.reduce((sum, [, length]) => sum + length, 0) - 1 },
): Promise<Readable> {
	const selected = selectRange(inserts, baseBytes, range);
	if (selected.parts === null) return storage.read(baseKey, selected.base ?? undefined);
	if (selected.base === null) return storage.read(partsKey, selected.parts);
	const parts = await buffer(await storage.read(partsKey, selected.parts));
	const base = await storage.read(baseKey, selected.base);
	const result = createSplice(selected.base.start, selected.inserts, parts);
	// After an error or an early end, both streams are destroyed, and the reader of the result gets the error.
	pipeline(base, result).catch(() => {});
	return result;
}

/** Returns which bytes of the base and of the parts a range consists of. */
function selectRange(inserts: readonly Insert[], baseBytes: number, { start, end }: ByteRange) {
	const own: Insert[] = [];
	const ranges: { base: ByteRange | null; parts: ByteRange | null } = { base: null, parts: null };
	let [position, basePosition, partsPosition] = [0, 0, 0];
	/** Adds the overlap of the range with the next bytes. @returns the length of the overlap */
	const take = (from: 'base' | 'parts', at: number, length: number): number => {
		const [first, last] = [Math.max(start, position), Math.min(end, position + length - 1)];
		const offset = at - position;
		position += length;
		if (first > last) return 0;
		ranges[from] = { start: ranges[from]?.start ?? first + offset, end: last + offset };
		return last - first + 1;
	};
	for (const [at, length] of inserts) {
		take('base', basePosition, at - basePosition);
		basePosition = at;
		const taken = take('parts', partsPosition, length);
		partsPosition += length;
		if (taken > 0) own.push([at, taken]);
	}
	take('base', basePosition, baseBytes - basePosition);
	return { ...ranges, inserts: own };
}

function createSplice(start: number, inserts: readonly Insert[], parts: Buffer): Transform {
	let [position, next, partsPosition] = [start, 0, 0];
	const pushInsertsUntil = (stream: Transform, at: number) => {
		for (let insert = inserts[next]; insert !== undefined && insert[0] <= at; insert = inserts[next]) {
			stream.push(parts.subarray(partsPosition, partsPosition + insert[1]));
			partsPosition += insert[1];
			next += 1;
		}
	};
	return new Transform({
		transform(chunk: Buffer, _encoding, done) {
			const end = position + chunk.length;
			let taken = 0;
			for (let insert = inserts[next]; insert !== undefined && insert[0] < end; insert = inserts[next]) {
				const until = Math.max(taken, insert[0] - position);
				this.push(chunk.subarray(taken, until));
				taken = until;
				pushInsertsUntil(this, insert[0]);
			}
			this.push(chunk.subarray(taken));
			position = end;
			done();
		},
		flush(done) {
			pushInsertsUntil(this, Number.POSITIVE_INFINITY);
			done();
		},
	});
}
