import { sql } from 'kysely';
import type { Connection } from '#server/db/connect.ts';

/** Every row of every table, by the table's name; the database itself says which tables there are. */
export type Dump = Record<string, unknown[]>;

/** Reads the whole database in an order that does not depend on how rows lie. */
export async function dumpDatabase({ db }: Pick<Connection, 'db'>): Promise<Dump> {
	const dump: Dump = {};
	for (const name of await tablesOf(db)) {
		const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
		dump[name] = rows.map((row) => JSON.stringify(row)).sort();
	}
	return dump;
}

const known = new WeakMap<Connection['db'], string[]>();

async function tablesOf(db: Connection['db']): Promise<string[]> {
	const names =
		known.get(db) ??
		(await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name).sort();
	known.set(db, names);
	return names;
}
