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
 * for each dialect, set of keys and `shape`, with placeholders instead of the values, so it must not read the values.
 * @param shape what decides the SQL besides the keys. Callers may pass only few different shapes
 */
export function prepareQuery<Values extends object, Row, Shape = undefined>(
	build: (db: Db, values: Values, shape: Shape) => Compilable<Row>,
): (db: Db, values: Values, ...shape: Shape extends undefined ? [] : [Shape]) => Promise<QueryResult<Row>> {
	const cache = new Map<string, CompiledQuery<Row>>();
	return (db, values, shape?: Shape) => {
		const names = Object.keys(values);
		const key = [db.getExecutor().adapter.constructor.name, ...names, JSON.stringify(shape)].join();
		let query = cache.get(key);
		if (query === undefined) {
			const placeholders = Object.fromEntries(names.map((name) => [name, Symbol(name)]));
			query = build(db, placeholders as Values, shape as Shape).compile();
			cache.set(key, query);
		}
		const parameters = query.parameters.map((parameter) =>
			typeof parameter === 'symbol' ? values[parameter.description as keyof Values] : parameter,
		);
		return db.executeQuery({ ...query, parameters });
	};
}

const preparedLimits = [17, 51, 101, 201, 501, 1001];

/** Returns the next of a few limits, because a limit is part of a prepared query's shape. The caller drops the rest. */
export function preparedLimit(limit: number): number {
	return preparedLimits.find((size) => size >= limit) ?? limit;
}

export function insertInto<Table extends keyof Schema>(table: Table) {
	return async (db: Db, row: Insertable<Schema[Table]>): Promise<void> => {
		await db.insertInto(table).values(row).execute();
	};
}

type Row<Table extends keyof Schema> = Insertable<Schema[Table]>;

/** Returns a function that inserts rows with the same columns; their SQL is compiled once for each of few row counts. */
export function insertManyInto<Table extends keyof Schema>(table: Table) {
	const cache = new Map<string, CompiledQuery>();
	return async (db: Db, rows: ReadonlyArray<Row<Table>>): Promise<void> => {
		const columns = Object.keys(rows[0] ?? {}) as Array<keyof Row<Table>>;
		for (const batch of inBatches(rows)) {
			const key = [db.getExecutor().adapter.constructor.name, batch.length, ...columns].join();
			const query = cache.get(key) ?? db.insertInto(table).values(batch).compile();
			cache.set(key, query);
			const parameters = batch.flatMap((row) => columns.map((column) => row[column]));
			if (parameters.length !== query.parameters.length) throw new Error(`Rows of ${table} have different columns.`);
			await db.executeQuery({ ...query, parameters });
		}
	};
}

/** Names values as the parameters of a prepared query, repeating the last until the list has one of few lengths. */
export function toListParameters(name: string, list: readonly string[]): Record<string, string> {
	const length = batchSizes.findLast((size) => size >= list.length) ?? list.length;
	return Object.fromEntries(Array.from({ length }, (_, i) => [`${name}${i}`, list[i] ?? list.at(-1) ?? '']));
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
