import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Db } from './schema.ts';

/**
 * A query that is asked so often that making its text costs more than its answer: `build` is called once for each kind of
 * database and each set of keys, with stand-ins in the places of the values, and may therefore not look at them.
 */
export function prepareQuery<Values extends object, Row>(
	build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
	const known = new Map<string, CompiledQuery<Row>>();
	return (db, values) => {
		const names = Object.keys(values);
		const key = [db.getExecutor().adapter.constructor.name, ...names].join();
		let query = known.get(key);
		if (query === undefined) {
			const standIns = Object.fromEntries(names.map((name) => [name, Symbol(name)]));
			query = build(db, standIns as Values).compile();
			known.set(key, query);
		}
		const parameters = query.parameters.map((each) =>
			typeof each === 'symbol' ? values[each.description as keyof Values] : each,
		);
		return db.executeQuery({ ...query, parameters });
	};
}

const batchSizes = [64, 16, 4, 1];

/** Rows in few sizes of portion, each written by one statement: as many texts are prepared as there are sizes. */
export function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
	let start = 0;
	for (const size of batchSizes) {
		for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
	}
}
