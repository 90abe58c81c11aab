import type { Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connectSqlite } from './connection.ts';
import { prepareQuery } from './query-preparation.ts';
import type { Db } from './schema.ts';

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
