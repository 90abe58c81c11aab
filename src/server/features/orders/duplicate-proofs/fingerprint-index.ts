import { setImmediate } from 'node:timers/promises';
import { readInSteps } from '../../../platform/cursor.ts';
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
const comparisonsPerYield = 10_000;

/**
 * In-memory index of the edge grids (256 bytes each) and edge summaries (64 bytes each) of all proofs, refreshed before
 * each search. Searching 100,000 proofs in memory is faster than reading them from the database.
 */
export interface FingerprintIndex {
	readonly lastNumber: number;
	refresh(db: Db): Promise<void>;
	/** Returns the numbers of the `count` proofs with the closest edge grids, allowing for cropping. */
	findNearest(fingerprint: Uint8Array, count: number): Promise<number[]>;
}

export function createFingerprintIndex(): FingerprintIndex {
	const numbers: number[] = [];
	let edgeGrids = new Int16Array(edgeGridLength * 64);
	let edgeSummaries = new Int32Array(edgeSummaryLength * 64);
	let refreshing: Promise<void> | undefined;

	const add = (number: number, newGrid: Int16Array) => {
		const start = numbers.length * edgeGridLength;
		if (start + edgeGridLength > edgeGrids.length) {
			const larger = new Int16Array(edgeGrids.length * 2);
			larger.set(edgeGrids);
			edgeGrids = larger;
			const largerSummaries = new Int32Array(edgeSummaries.length * 2);
			largerSummaries.set(edgeSummaries);
			edgeSummaries = largerSummaries;
		}
		edgeGrids.set(newGrid, start);
		edgeSummaries.set(edgeSummaryOf(newGrid), numbers.length * edgeSummaryLength);
		numbers.push(number);
	};
	const read = async (db: Db) => {
		const readPage = (after: number) => listEdgeGrids(db, after, rowsPerPage);
		for await (const page of readInSteps(numbers.at(-1) ?? 0, rowsPerPage, readPage, ({ number }) => number))
			for (const { number, edgeGrid } of page) add(number, unpackEdgeGrid(edgeGrid));
	};

	return {
		get lastNumber() {
			return numbers.at(-1) ?? 0;
		},
		async refresh(db) {
			// Refreshes run one after another, because two at once would add the same rows twice. Each waiting caller reads
			// again, because rows may have been inserted meanwhile.
			while (refreshing !== undefined) await refreshing;
			refreshing = read(db).finally(() => {
				refreshing = undefined;
			});
			await refreshing;
		},
		async findNearest(fingerprint, count) {
			const gridQuery = createDistanceQuery(edgeGridOf(fingerprint), tangentsOf(fingerprint));
			const summaryQuery = createDistanceQuery(
				edgeSummaryOf(gridQuery.values),
				orthonormalize(gridQuery.directions.map(edgeSummaryOf)),
			);
			const found: Array<{ number: number; distance: number }> = [];
			let farthest = Number.POSITIVE_INFINITY;
			const known = { numbers, edgeGrids, edgeSummaries, length: numbers.length };
			for (let index = 0; index < known.length; index += 1) {
				if (index % comparisonsPerYield === comparisonsPerYield - 1) await setImmediate();
				// The distance of the summaries is a lower bound, so most edge grids need not be compared.
				if (squaredDistance(summaryQuery, known.edgeSummaries, index * edgeSummaryLength) / cellsPerSummary >= farthest)
					continue;
				const distance = squaredDistance(gridQuery, known.edgeGrids, index * edgeGridLength);
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

/** The values to compare with, the directions that the distance ignores, and a reusable buffer for the differences. */
interface DistanceQuery {
	values: Float64Array;
	directions: Float64Array[];
	gap: Float64Array;
}

function createDistanceQuery(values: ArrayLike<number>, directions: Float64Array[]): DistanceQuery {
	return { values: Float64Array.from(values), directions, gap: new Float64Array(values.length) };
}

/** Returns the squared distance of two edge grids or summaries, without the part that cropping explains. */
function squaredDistance({ values, directions, gap }: DistanceQuery, known: Int16Array | Int32Array, start: number) {
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

export function packEdgeGrid(edgeGrid: Int16Array): string {
	return Buffer.from(edgeGrid.buffer, edgeGrid.byteOffset, edgeGrid.byteLength).toString('base64');
}

function unpackEdgeGrid(packed: string): Int16Array {
	const bytes = Uint8Array.from(Buffer.from(packed, 'base64'));
	return new Int16Array(bytes.buffer);
}
