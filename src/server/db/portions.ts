const sizes = [64, 16, 4, 1];

/** Rows in few sizes of portion, each written by one statement: as many texts are prepared as there are sizes. */
export function* inPortions<T>(rows: readonly T[]): Generator<T[]> {
	let start = 0;
	for (const size of sizes) {
		for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
	}
}
