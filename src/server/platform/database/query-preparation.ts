import type { Compilable, CompiledQuery, QueryResult, SelectQueryBuilder } from 'kysely';
import type { Db } from './schema.ts';

/**
 * Compiles a query once for queries that run so often that building their SQL costs more than running it. `build` is
 * called once for each dialect and each set of keys, with placeholders instead of values, so it must not inspect them.
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

/** Counts the rows that a query selects. */
export async function countRows<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
	const counted = query.clearSelect().select((eb) => eb.fn.countAll().as('count'));
	return (await counted.$castTo<{ count: number }>().executeTakeFirstOrThrow()).count;
}

const batchSizes = [64, 16, 4, 1];

/** Splits rows into batches, one statement each, of few sizes, so that few statements are prepared. */
export function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
	let start = 0;
	for (const size of batchSizes) {
		for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
	}
}
