import { availableParallelism, cpus } from 'node:os';

/**
 * One comparison of `npm run bench`. `rows`: label, key of a measurement, decimals. The table also shows the first
 * contestant's figure divided by each of the others. `note` is printed below the table and written to the results.
 * @typedef {{ contestants: string[], rows: Array<[string, string, number]>, note: string,
 *   measure(name: string): Promise<Record<string, number>>, close(): Promise<void> }} Comparison
 * Parameter of each `prepare…` function of bench/comparisons, which returns a promise of a {@link Comparison}. `form`:
 * how much is measured: `full` for the figures, `short` for rough ones, `once` to check that it runs. `service`: where the
 * database or the files are instead of SQLite or a disk.
 * @typedef {{ node: string, folder: string, program: string, form: 'full' | 'short' | 'once', service?: 'postgres' | 's3' }} Bench
 */

/** Measures the contestants alternately and computes the medians. @param {Comparison} comparison */
export async function runRounds({ contestants, rows, measure }, rounds) {
	const measured = Object.fromEntries(contestants.map((name) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		// The contestant that runs first may be at a disadvantage, so the order alternates.
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

export function printTable({ contestants, rows, note }, medians) {
	const [first, ...others] = contestants;
	const line = (cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(48) : cell.padStart(24))).join('');
	console.log(line(['', ...contestants, ...others.map((other) => `${first}/${other}`)]));
	for (const [label, key, digits] of rows) {
		const figures = contestants.map((name) => medians[name][key].toFixed(digits));
		const ratios = others.map((other) => (medians[first][key] / medians[other][key]).toFixed(2));
		console.log(line([label, ...figures, ...ratios]));
	}
	console.log(note);
}

export function describeMachine() {
	return { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model ?? 'unknown' };
}

/** @param share 0 to 1; 0.5 is the median */
export function quantile(values, share) {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

export function median(values) {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
