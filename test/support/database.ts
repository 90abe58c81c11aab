import { PostgresAdapter, sql } from 'kysely';
import type { Connection } from '#server/db/connect.ts';

/** Every row of every table as JSON, by the table's name; the database itself says which tables there are. */
export type Dump = Record<string, string[]>;

/** Reads the whole database in an order that does not depend on how rows lie. */
export async function dumpDatabase({ db }: Pick<Connection, 'db'>): Promise<Dump> {
	const tables = await tablesOf(db);
	const rowsByTable =
		db.getExecutor().adapter instanceof PostgresAdapter ? await readAtOnce(db, tables) : await readInTurn(db, tables);
	return Object.fromEntries(
		Object.entries(rowsByTable).map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).sort()]),
	);
}

async function readInTurn(db: Connection['db'], tables: string[]): Promise<Record<string, unknown[]>> {
	const read: Record<string, unknown[]> = {};
	for (const table of tables) read[table] = (await sql`select * from ${sql.table(table)}`.execute(db)).rows;
	return read;
}

/** One way to the server instead of one for each table: the access run dumps hundreds of times. */
async function readAtOnce(db: Connection['db'], tables: string[]): Promise<Record<string, unknown[]>> {
	const parts = tables.map(
		(table) => sql`${sql.lit(table)}, (select coalesce(json_agg(t), '[]') from ${sql.table(table)} t)`,
	);
	const { rows } = await sql<{
		dump: Record<string, unknown[]>;
	}>`select json_build_object(${sql.join(parts)}) as dump`.execute(db);
	return rows[0]?.dump ?? {};
}

const known = new WeakMap<Connection['db'], string[]>();

async function tablesOf(db: Connection['db']): Promise<string[]> {
	const names =
		known.get(db) ??
		(await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name).sort();
	known.set(db, names);
	return names;
}
