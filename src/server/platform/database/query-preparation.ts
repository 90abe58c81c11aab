import {
	type Compilable,
	type CompiledQuery,
	type Insertable,
	type QueryResult,
	type SelectQueryBuilder,
	type SqlBool,
	sql,
} from 'kysely';
import type { Db, Schema } from './schema.ts';

/**
 * Caches the compiled SQL of a frequent query, because building it takes longer than running it. `build` is called once
 * for each dialect and set of keys, with placeholders instead of the values, so it must not read the values.
 */
export function prepareQuery<Values extends object, Row>(
	build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
	const cache = new Map<string, CompiledQuery<Row>>();
	return (db, values) => {
		const names = Object.keys(values);
		const key = [db.getExecutor().adapter.constructor.name, ...names].join();
		let query = cache.get(key);
		if (query === undefined) {
			const placeholders = Object.fromEntries(names.map((name) => [name, Symbol(name)]));
			query = build(db, placeholders as Values).compile();
			cache.set(key, query);
		}
		const parameters = query.parameters.map((parameter) =>
			typeof parameter === 'symbol' ? values[parameter.description as keyof Values] : parameter,
		);
		return db.executeQuery({ ...query, parameters });
	};
}

export function insertInto<Table extends keyof Schema>(table: Table) {
	return async (db: Db, row: Insertable<Schema[Table]>): Promise<void> => {
		await db.insertInto(table).values(row).execute();
	};
}

export async function countRows<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
	const counted = query.clearSelect().select((eb) => eb.fn.countAll().as('count'));
	return (await counted.$castTo<{ count: number }>().executeTakeFirstOrThrow()).count;
}

/**
 * Returns the condition for rows after a position in a list that is sorted by these columns in one direction. Without a
 * position the condition is true for every row.
 */
export function isBeyond(
	columns: readonly string[],
	operator: '<' | '>' | '<=' | '>=',
	position: ReadonlyArray<string | number> | null,
) {
	if (position === null) return sql<SqlBool>`1 = 1`;
	const tuple = sql.join(columns.map((column) => sql.ref(column)));
	return sql<SqlBool>`(${tuple}) ${sql.raw(operator)} (${sql.join(position)})`;
}

/** For `$call`: reads the `limit` rows after a position, sorted by these columns in one direction. */
export function pageAfter(
	position: ReadonlyArray<string | number> | null,
	columns: readonly string[],
	order: 'asc' | 'desc',
	limit: number,
) {
	return <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) =>
		columns
			.reduce((rows, column) => rows.orderBy(sql.ref(column), order), query)
			.where(isBeyond(columns, order === 'asc' ? '>' : '<', position))
			.limit(limit);
}

const batchSizes = [64, 16, 4, 1];

/** Splits rows into batches of only four sizes, so that few different statements are prepared. */
export function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
	let start = 0;
	for (const size of batchSizes) {
		for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
	}
}
