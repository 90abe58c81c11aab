import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/schema.ts';
import { gistCells, gistLength, gistOf, outlineLength, outlineOf, squaredOff, tangentsOf } from './picture-look.ts';
import { listOutlines } from './proof-marks.queries.ts';

const pageSize = 5000;
/** Outlines between two breaths of the server. */
const atOnce = 10_000;

/**
 * The outlines of all proofs, 256 bytes each, with their gists, 64 bytes, kept in memory and caught up before each
 * question: one pass over 100,000 takes less time than reading them from the database would.
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
	let gists = new Int32Array(gistLength * 64);
	let isCatchingUp: Promise<void> | undefined;

	const add = (number: number, outline: Int16Array) => {
		const start = numbers.length * outlineLength;
		if (start + outlineLength > outlines.length) {
			const larger = new Int16Array(outlines.length * 2);
			larger.set(outlines);
			outlines = larger;
			const largerGists = new Int32Array(gists.length * 2);
			largerGists.set(gists);
			gists = largerGists;
		}
		outlines.set(outline, start);
		gists.set(gistOf(outline), numbers.length * gistLength);
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
			const ours = questionOf(outlineOf(look), tangentsOf(look));
			const gist = questionOf(gistOf(ours.values), squaredOff(ours.directions.map(gistOf)));
			const found: Array<{ number: number; distance: number }> = [];
			let farthest = Number.POSITIVE_INFINITY;
			const known = { numbers, outlines, gists, length: numbers.length };
			for (let index = 0; index < known.length; index += 1) {
				if (index % atOnce === atOnce - 1) await setImmediate();
				// No outline is nearer than its gist: of most, there is no more to look at.
				if (distanceOf(gist, known.gists, index * gistLength) / gistCells >= farthest) continue;
				const distance = distanceOf(ours, known.outlines, index * outlineLength);
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

/** What many others are compared with: its values, the directions that do not count, and room to reckon in. */
interface Question {
	values: Float64Array;
	directions: Float64Array[];
	gap: Float64Array;
}

function questionOf(values: ArrayLike<number>, directions: Float64Array[]): Question {
	return { values: Float64Array.from(values), directions, gap: new Float64Array(values.length) };
}

/** Square of the distance of two outlines or gists, less what cutting the picture would account for. */
function distanceOf({ values, directions, gap }: Question, known: Int16Array | Int32Array, start: number): number {
	let distance = 0;
	for (let i = 0; i < values.length; i += 1) {
		const part = (known[start + i] as number) - (values[i] as number);
		gap[i] = part;
		distance += part * part;
	}
	for (const direction of directions) {
		let along = 0;
		for (let i = 0; i < direction.length; i += 1) along += (gap[i] as number) * (direction[i] as number);
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
