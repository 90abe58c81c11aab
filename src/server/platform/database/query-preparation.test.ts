import type { Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connectSqlite } from './connection.ts';
import { insertManyInto, prepareQuery, statementNames, toListParameters } from './query-preparation.ts';
import type { Db } from './schema.ts';
import { inTransaction } from './transaction.ts';

const { db, close } = connectSqlite(':memory:');
afterAll(close);

interface Row {
	id: string;
	title: string | null;
	pages: number;
}

const books = (from: Db) => from as unknown as Kysely<{ books: Row }>;

test('prepareQuery binds the values of each call, and builds the query once for all inputs with the same properties', async () => {
	await db.schema
		.createTable('books')
		.addColumn('id', 'text')
		.addColumn('title', 'text')
		.addColumn('pages', 'integer')
		.execute();
	let built = 0;
	const insert = prepareQuery((from, row: Row) => books(from).insertInto('books').values(row));
	const update = prepareQuery((from, { id, ...changes }: { id: string } & Partial<Row>) => {
		built += 1;
		return books(from).updateTable('books').set(changes).where('id', '=', id).where('pages', '>', 0);
	});
	for (const id of ['a', 'b', 'c']) await insert(db, { id, title: `Book ${id}`, pages: 10 });
	const results = [
		await update(db, { id: 'a', title: null }),
		await update(db, { id: 'b', title: 'Renamed' }),
		await update(db, { id: 'c', pages: 0 }),
		await update(db, { id: 'c', pages: 5 }),
	];
	expect(results.map(({ numAffectedRows }) => numAffectedRows)).toEqual([1n, 1n, 1n, 0n]);
	expect(built).toBe(2);
	expect(await books(db).selectFrom('books').selectAll().orderBy('id').execute()).toEqual([
		{ id: 'a', title: null, pages: 10 },
		{ id: 'b', title: 'Renamed', pages: 10 },
		{ id: 'c', title: 'Book c', pages: 0 },
	]);
});

test('prepareQuery builds a query for each shape, and a prepared query returns the columns of a changed table', async () => {
	let built = 0;
	const list = prepareQuery(
		(from, { pages }: { pages: number }, { order, limit }: { order: 'asc' | 'desc'; limit: number }) => {
			built += 1;
			return books(from).selectFrom('books').selectAll().where('pages', '>=', pages).orderBy('id', order).limit(limit);
		},
	);
	const idsOf = async (pages: number, order: 'asc' | 'desc', limit: number) =>
		(await list(db, { pages }, { order, limit })).rows.map(({ id }) => id);
	expect(await idsOf(0, 'asc', 2)).toEqual(['a', 'b']);
	expect(await idsOf(0, 'desc', 2)).toEqual(['c', 'b']);
	expect(await idsOf(6, 'asc', 2)).toEqual(['a', 'b']);
	expect(await idsOf(6, 'asc', 1)).toEqual(['a']);
	expect(built).toBe(3);
	await db.schema.alterTable('books').dropColumn('title').execute();
	await db.schema
		.alterTable('books')
		.addColumn('shelf', 'text', (column) => column.defaultTo('A'))
		.execute();
	expect((await list(db, { pages: 6 }, { order: 'asc', limit: 1 })).rows).toEqual([{ id: 'a', pages: 10, shelf: 'A' }]);
});

test('toListParameters gives lists of any length one of few lengths, by repeating the last value', () => {
	expect(toListParameters('id', [])).toEqual({});
	expect(toListParameters('id', ['a', 'b', 'c'])).toEqual({ id0: 'a', id1: 'b', id2: 'c', id3: 'c' });
	const list = Array.from({ length: 1000 }, (_, index) => `${index}`);
	const lengths = list.map((_, index) => Object.keys(toListParameters('id', list.slice(0, index))).length);
	expect([...new Set(lengths)]).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
	expect(new Set(Object.values(toListParameters('id', list)))).toEqual(new Set(list));
});

test('each SQL of prepared queries has one name, which no other has; SQL with * has none', async () => {
	const idsOf = () =>
		prepareQuery((from, { id }: { id: string }) => books(from).selectFrom('books').select('id').where('id', '=', id));
	const [first, same] = [idsOf(), idsOf()];
	const other = prepareQuery((from, { id }: { id: string }) =>
		books(from).selectFrom('books').select('pages').where('id', '=', id),
	);
	const all = prepareQuery((from, { id }: { id: string }) =>
		books(from).selectFrom('books').selectAll().where('id', '=', id),
	);
	for (const query of [first, same, other, all]) await query(db, { id: 'a' });
	expect(new Set(statementNames.values()).size).toBe(statementNames.size);
	const named = [...statementNames.keys()].filter((sql) => /^select .* from "books"/u.test(sql));
	expect(named).toEqual(
		expect.arrayContaining([expect.stringContaining('select "id"'), expect.stringContaining('"pages"')]),
	);
	expect(named.filter((sql) => sql.includes('*'))).toEqual([]);
});

test('insertManyInto inserts no batch after its transaction was rolled back', async () => {
	const settings = (from: Db) => from as unknown as Kysely<{ settings: { key: string } }>;
	await db.schema
		.createTable('settings')
		.addColumn('key', 'text', (column) => column.primaryKey())
		.execute();
	await settings(db).insertInto('settings').values({ key: '0' }).execute();
	const rows = Array.from({ length: 640 }, (_, at) => ({ key: String(at) }));
	const insert = insertManyInto('settings') as unknown as (from: Db, list: typeof rows) => Promise<void>;
	// The number of calls between the insertion and the transaction decides when the ROLLBACK runs.
	const runWithin = async (calls: number, work: () => Promise<void>): Promise<void> =>
		calls === 0 ? work() : await runWithin(calls - 1, work);
	for (let calls = 0; calls < 10; calls += 1) {
		const insertion = inTransaction(db, (tx) => runWithin(calls, () => insert(tx, rows)));
		await expect(insertion).rejects.toThrow('UNIQUE');
	}
	expect(await settings(db).selectFrom('settings').select('key').execute()).toEqual([{ key: '0' }]);
	await insert(db, []);
});
