import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/database/schema.ts';
import { listEdgeGrids } from './duplicate-proofs.queries.ts';
import {
	cellsPerSummary,
	edgeGridLength,
	edgeGridOf,
	edgeSummaryLength,
	edgeSummaryOf,
	orthonormalize,
	tangentsOf,
} from './image-fingerprint.ts';

const rowsPerPage = 5000;
/** Outlines between two breaths of the server. */
const comparisonsPerYield = 10_000;

/**
 * The outlines of all proofs, 256 bytes each, with their gists, 64 bytes, kept in memory and caught up before each
 * question: one pass over 100,000 takes less time than reading them from the database would.
 */
export interface FingerprintIndex {
	/** The number of the newest look that is known. */
	readonly lastNumber: number;
	refresh(db: Db): Promise<void>;
	/** Numbers of the looks whose outlines are most like that of `look`, however it was cut. */
	findNearest(look: Uint8Array, count: number): Promise<number[]>;
}

export function createFingerprintIndex(): FingerprintIndex {
	const numbers: number[] = [];
	let edgeGrids = new Int16Array(edgeGridLength * 64);
	let edgeSummaries = new Int32Array(edgeSummaryLength * 64);
	let refreshing: Promise<void> | undefined;

	const add = (number: number, outline: Int16Array) => {
		const start = numbers.length * edgeGridLength;
		if (start + edgeGridLength > edgeGrids.length) {
			const larger = new Int16Array(edgeGrids.length * 2);
			larger.set(edgeGrids);
			edgeGrids = larger;
			const largerSummaries = new Int32Array(edgeSummaries.length * 2);
			largerSummaries.set(edgeSummaries);
			edgeSummaries = largerSummaries;
		}
		edgeGrids.set(outline, start);
		edgeSummaries.set(edgeSummaryOf(outline), numbers.length * edgeSummaryLength);
		numbers.push(number);
	};
	const read = async (db: Db) => {
		for (;;) {
			const page = await listEdgeGrids(db, numbers.at(-1) ?? 0, rowsPerPage);
			for (const { number, outline } of page) add(number, unpackEdgeGrid(outline));
			if (page.length < rowsPerPage) return;
		}
	};

	return {
		get lastNumber() {
			return numbers.at(-1) ?? 0;
		},
		async refresh(db) {
			// Two at once would add the same rows twice; the second one asks again, for what came since.
			while (refreshing !== undefined) await refreshing;
			refreshing = read(db).finally(() => {
				refreshing = undefined;
			});
			await refreshing;
		},
		async findNearest(look, count) {
			const gridQuery = createDistanceQuery(edgeGridOf(look), tangentsOf(look));
			const summaryQuery = createDistanceQuery(
				edgeSummaryOf(gridQuery.values),
				orthonormalize(gridQuery.directions.map(edgeSummaryOf)),
			);
			const found: Array<{ number: number; distance: number }> = [];
			let farthest = Number.POSITIVE_INFINITY;
			const known = { numbers, outlines: edgeGrids, gists: edgeSummaries, length: numbers.length };
			for (let index = 0; index < known.length; index += 1) {
				if (index % comparisonsPerYield === comparisonsPerYield - 1) await setImmediate();
				// No outline is nearer than its gist: of most, there is no more to look at.
				if (squaredDistance(summaryQuery, known.gists, index * edgeSummaryLength) / cellsPerSummary >= farthest)
					continue;
				const distance = squaredDistance(gridQuery, known.outlines, index * edgeGridLength);
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
interface DistanceQuery {
	values: Float64Array;
	directions: Float64Array[];
	gap: Float64Array;
}

function createDistanceQuery(values: ArrayLike<number>, directions: Float64Array[]): DistanceQuery {
	return { values: Float64Array.from(values), directions, gap: new Float64Array(values.length) };
}

/** Square of the distance of two outlines or gists, less what cutting the picture would account for. */
function squaredDistance(
	{ values, directions, gap }: DistanceQuery,
	known: Int16Array | Int32Array,
	start: number,
): number {
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

export function packEdgeGrid(outline: Int16Array): string {
	return Buffer.from(outline.buffer, outline.byteOffset, outline.byteLength).toString('base64');
}

function unpackEdgeGrid(packed: string): Int16Array {
	const bytes = Uint8Array.from(Buffer.from(packed, 'base64'));
	return new Int16Array(bytes.buffer);
}
