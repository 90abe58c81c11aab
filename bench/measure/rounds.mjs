import { availableParallelism, cpus } from 'node:os';

/**
 * One comparison of `npm run bench`. `rows`: label, key of a measurement, decimals. The first contestant is divided by
 * the second. `facts` are written to the results beside the figures.
 * @typedef {{ contestants: [string, string], rows: Array<[string, string, number]>, facts: object, note: string,
 *   measure(name: string): Promise<Record<string, number>>, close(): Promise<void> }} Comparison
 * `form`: how much is measured: `full` for the figures, `short` for rough ones, `once` to check that it runs.
 * @typedef {{ node: string, folder: string, program: string, form: 'full' | 'short' | 'once' }} Bench
 */

/**
 * Measures both contestants alternately and computes the medians.
 * @param {Comparison} comparison
 * @param {number} rounds
 */
export async function runRounds({ contestants, rows, measure }, rounds) {
	const measured = Object.fromEntries(contestants.map((name) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		// The machine's state differs for the contestant that runs first, so the order alternates.
		const order = round % 2 === 0 ? contestants : contestants.toReversed();
		for (const name of order) measured[name].push(await measure(name));
		console.error(`Round ${round + 1} of ${rounds} done.`);
	}
	const medians = Object.fromEntries(
		contestants.map((name) => [
			name,
			Object.fromEntries(rows.map(([, key]) => [key, median(measured[name].map((run) => run[key]))])),
		]),
	);
	return { medians, measured };
}

/** Prints the medians as a table. */
export function printTable({ contestants, rows, note }, medians) {
	const [first, second] = contestants;
	const line = (cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(48) : cell.padStart(14))).join('');
	console.log(line(['', first, second, `${first}/${second}`]));
	for (const [label, key, digits] of rows) {
		const [a, b] = [medians[first][key], medians[second][key]];
		console.log(line([label, a.toFixed(digits), b.toFixed(digits), (a / b).toFixed(2)]));
	}
	console.log(note);
}

/** Describes the machine that the figures were measured on. */
export function describeMachine() {
	return { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model ?? 'unknown' };
}

/** Returns the median. */
export function median(values) {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
