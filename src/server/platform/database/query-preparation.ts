import {
	type Compilable,
	type CompiledQuery,
	type Insertable,
	PostgresAdapter,
	type QueryResult,
	type SelectQueryBuilder,
	type SqlBool,
	sql,
} from 'kysely';
import { awaitAll } from './await-all.ts';
import type { Db, Schema } from './schema.ts';

/** Names of the prepared statements of PostgreSQL, by their SQL. */
export const statementNames = new Map<string, string>();

/** A statement with `*` gets no name: PostgreSQL would refuse it after another process has added a column. */
function nameStatement({ sql: text }: CompiledQuery): void {
	if (!statementNames.has(text) && !/[\s.]\*/u.test(text)) statementNames.set(text, `statement_${statementNames.size}`);
}

/**
 * Caches the compiled SQL of a frequent query; `listNodes` (files/tree/tree.queries.ts) has the measured gain. `build`
 * is called once for each dialect, set of keys and `shape`, with placeholders instead of the values, so it must not read
 * the values. `shape` has everything else that changes the SQL. Each shape stays in the cache, so callers may pass only
 * few different shapes.
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
			nameStatement(query);
		}
		const parameters = query.parameters.map((parameter) =>
			typeof parameter === 'symbol' ? values[parameter.description as keyof Values] : parameter,
		);
		return db.executeQuery({ ...query, parameters });
	};
}

const preparedLimits = [17, 51, 101, 201, 501, 1001];

/** Rounds a limit up to one of a few, because the limit is part of a query's shape. The caller drops surplus rows. */
export function preparedLimit(limit: number): number {
	return preparedLimits.find((size) => size >= limit) ?? limit;
}

type Row<Table extends keyof Schema> = Insertable<Schema[Table]>;

export function insertInto<Table extends keyof Schema>(table: Table) {
	return async (db: Db, row: Row<Table>): Promise<void> => {
		await db.insertInto(table).values(row).execute();
	};
}

/**
 * Returns a function that inserts rows, which must have the same columns and well-formed texts, with cached SQL: on
 * SQLite in batches of seven sizes, on PostgreSQL as one parameter of JSON, so that one prepared statement inserts any
 * number of rows.
 */
export function insertManyInto<Table extends keyof Schema>(table: Table) {
	const cache = new Map<string, CompiledQuery>();
	const cached = (key: string, build: () => CompiledQuery): CompiledQuery => {
		const query = cache.get(key) ?? build();
		cache.set(key, query);
		return query;
	};
	return async (db: Db, rows: ReadonlyArray<Row<Table>>): Promise<void> => {
		if (rows.length === 0) return;
		const columns = Object.keys(rows[0] ?? {}) as Array<keyof Row<Table> & string>;
		if (rows.some((row) => Object.keys(row).length !== columns.length))
			throw new Error(`Rows of ${table} have different columns.`);
		if (db.getExecutor().adapter instanceof PostgresAdapter) {
			const query = cached(columns.join(), () => insertFromJson(db, table, columns));
			nameStatement(query);
			await db.executeQuery({ ...query, parameters: [JSON.stringify(rows)] });
			return;
		}
		const insertions = [...inBatches(rows)].map((batch) => {
			const query = cached([batch.length, ...columns].join(), () => db.insertInto(table).values(batch).compile());
			return db.executeQuery({ ...query, parameters: batch.flatMap((row) => columns.map((column) => row[column])) });
		});
		await awaitAll(insertions);
	};
}

function insertFromJson(db: Db, table: string, columns: string[]): CompiledQuery {
	const list = sql.join(columns.map((column) => sql.ref(column)));
	const name = sql.table(table);
	return sql`insert into ${name} (${list}) select ${list} from json_populate_recordset(null::${name}, ${null})`.compile(
		db,
	);
}

/**
 * Converts a list for `in (...)` to parameters of a prepared query: `name0`, `name1` and so on. Repeats the last value
 * until the list has one of a few lengths, because each length is compiled separately.
 */
export function toListParameters(name: string, list: readonly string[]): Record<string, string> {
	const length = 2 ** Math.ceil(Math.log2(list.length));
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

const batchSizes = [64, 32, 16, 8, 4, 2, 1];

/** Splits rows into batches of only seven sizes, so that few different statements are prepared. */
export function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
	let start = 0;
	for (const size of batchSizes) {
		for (; start + size <= rows.length; start += size) yield rows.slice(start, start + size);
	}
}
