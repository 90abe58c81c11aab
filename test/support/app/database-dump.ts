import { PostgresAdapter, sql } from 'kysely';
import type { Connection } from '#server/platform/database/connection.ts';

export type Dump = Record<string, string[]>;

/** Reads all tables, including Kysely's own, with sorted rows. */
export async function dumpDatabase({ db }: Pick<Connection, 'db'>): Promise<Dump> {
	if (db.getExecutor().adapter instanceof PostgresAdapter)
		return dumpOf(await readTablesInOneQuery(db, await tablesOf(db)));
	const state = await writeCounterOf(db);
	const last = lastDumps.get(db);
	if (last?.state === state) return last.dump;
	const dump = dumpOf(await readTablesOneByOne(db, await tablesOf(db)));
	lastDumps.set(db, { state, dump });
	return dump;
}

function dumpOf(rowsByTable: Record<string, unknown[]>): Dump {
	return Object.fromEntries(
		Object.entries(rowsByTable).map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).sort()]),
	);
}

const lastDumps = new WeakMap<Connection['db'], { state: string; dump: Dump }>();

/** Reads SQLite's counters of the writes of this and of other connections. A dump is valid until a counter changes. */
async function writeCounterOf(db: Connection['db']): Promise<string> {
	const { rows } = await sql`select total_changes() as own, data_version from pragma_data_version`.execute(db);
	return JSON.stringify(rows);
}

async function readTablesOneByOne(db: Connection['db'], tables: string[]): Promise<Record<string, unknown[]>> {
	const rowsByTable: Record<string, unknown[]> = {};
	for (const table of tables) rowsByTable[table] = (await sql`select * from ${sql.table(table)}`.execute(db)).rows;
	return rowsByTable;
}

/** Reads all tables in one query, because the access test dumps the database hundreds of times. */
async function readTablesInOneQuery(db: Connection['db'], tables: string[]): Promise<Record<string, unknown[]>> {
	const parts = tables.map(
		(table) =>
			sql`select ${sql.lit(table)} as name, (select coalesce(json_agg(t), '[]') from ${sql.table(table)} t) as rows`,
	);
	const { rows } = await sql<{ name: string; rows: unknown[] }>`${sql.join(parts, sql` union all `)}`.execute(db);
	return Object.fromEntries(rows.map((table) => [table.name, table.rows]));
}

const knownTables = new WeakMap<Connection['db'], string[]>();

async function tablesOf(db: Connection['db']): Promise<string[]> {
	const names =
		knownTables.get(db) ??
		(await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name).sort();
	knownTables.set(db, names);
	return names;
}
