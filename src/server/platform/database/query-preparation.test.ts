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

test('prepareQuery binds the values of each call, and builds the query once for all inputs with the same properties', async () => {
	await db.schema
		.createTable('books')
		.addColumn('id', 'text')
		.addColumn('title', 'text')
		.addColumn('pages', 'integer')
		.execute();
	const books = (from: Db) => from as unknown as Kysely<{ books: Row }>;
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
