import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/schema.ts';
import { outlineLength, outlineOf, tangentsOf } from './picture-look.ts';
import { listOutlines } from './proof-marks.queries.ts';

const pageSize = 5000;
/** Outlines between two breaths of the server. */
const atOnce = 10_000;

/**
 * The outlines of all proofs, 256 bytes each, kept in memory and caught up before each question: one pass over 100,000
 * takes less time than reading them from the database would.
 */
export interface KnownLooks {
	/** The number of the newest look that is known. */
	readonly last: number;
	catchUp(db: Db): Promise<void>;
	/** Numbers of the looks whose outlines are most like that of `look`, however it was cut. */
	nearest(look: Uint8Array, count: number): Promise<number[]>;
}

export function createKnownLooks(): KnownLooks {
	const numbers: number[] = [];
	let outlines = new Int16Array(outlineLength * 64);
	let isCatchingUp: Promise<void> | undefined;

	const add = (number: number, outline: Int16Array) => {
		const start = numbers.length * outlineLength;
		if (start + outlineLength > outlines.length) {
			const larger = new Int16Array(outlines.length * 2);
			larger.set(outlines);
			outlines = larger;
		}
		outlines.set(outline, start);
		numbers.push(number);
	};
	const read = async (db: Db) => {
		for (;;) {
			const page = await listOutlines(db, numbers.at(-1) ?? 0, pageSize);
			for (const { number, outline } of page) add(number, unpackOutline(outline));
			if (page.length < pageSize) return;
		}
	};

	return {
		get last() {
			return numbers.at(-1) ?? 0;
		},
		async catchUp(db) {
			// Two at once would add the same rows twice; the second one asks again, for what came since.
			while (isCatchingUp !== undefined) await isCatchingUp;
			isCatchingUp = read(db).finally(() => {
				isCatchingUp = undefined;
			});
			await isCatchingUp;
		},
		async nearest(look, count) {
			const outline = outlineOf(look);
			const tangents = tangentsOf(look);
			const gap = new Float64Array(outlineLength);
			const found: Array<{ number: number; distance: number }> = [];
			let farthest = Number.POSITIVE_INFINITY;
			const known = { numbers, outlines, length: numbers.length };
			for (let index = 0; index < known.length; index += 1) {
				if (index % atOnce === atOnce - 1) await setImmediate();
				const distance = distanceOf(outline, known.outlines, index * outlineLength, tangents, gap);
				if (distance >= farthest) continue;
				found.push({ number: known.numbers[index] as number, distance });
				found.sort((a, b) => a.distance - b.distance);
				if (found.length > count) found.pop();
				if (found.length === count) farthest = found.at(-1)?.distance ?? farthest;
			}
			return found.map(({ number }) => number);
		},
	};
}

/** Square of the distance of two outlines, less what cutting the picture would account for. */
function distanceOf(
	outline: Int16Array,
	outlines: Int16Array,
	start: number,
	tangents: Float64Array[],
	gap: Float64Array,
): number {
	let distance = 0;
	for (let i = 0; i < outlineLength; i += 1) {
		const part = (outlines[start + i] as number) - (outline[i] as number);
		gap[i] = part;
		distance += part * part;
	}
	for (const tangent of tangents) {
		let along = 0;
		for (let i = 0; i < outlineLength; i += 1) along += (gap[i] as number) * (tangent[i] as number);
		distance -= along * along;
	}
	return distance;
}

export function packOutline(outline: Int16Array): string {
	return Buffer.from(outline.buffer, outline.byteOffset, outline.byteLength).toString('base64');
}

function unpackOutline(packed: string): Int16Array {
	const bytes = Uint8Array.from(Buffer.from(packed, 'base64'));
	return new Int16Array(bytes.buffer);
}
