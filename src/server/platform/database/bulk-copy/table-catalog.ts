import { PostgresAdapter, sql } from 'kysely';
import type { Connection } from '../connection.ts';
import type { Db } from '../schema.ts';

/** A table as the database itself describes it. */
export interface Table {
	name: string;
	/** Sorted by name: the order in the database depends on its past migrations. */
	columns: string[];
	/** Columns of the primary key, in its order; rows are read in this order. */
	keys: string[];
	/** Text columns among `keys`, which are compared by bytes on every database. */
	textKeys: string[];
	/** Other tables that its rows refer to. */
	parents: string[];
	/** Columns that refer to rows of the same table. */
	selfReferences: string[];
}

/** Runs an SQL query without parameters. */
export type RunStatement = (statement: string) => Promise<Array<Record<string, unknown>>>;

/**
 * Tables that triggers fill when other rows are loaded: the counts and the numbered rows of the searches. The search
 * tables themselves are views or virtual tables, which the catalogue queries below leave out.
 */
const derivedTables = [/^users_counts$/u, /^orders_totals$/u, /_search_rows$/u];

/**
 * Tables about the processes that use this database, which mean nothing in a copy. The last two are the names before
 * migration 0021: an upgrade copies the rows as the previous version left them.
 */
const processTables = ['process_leases', 'leases', 'deferred_deletes', 'holds', 'put_off_removals'];

/** Kysely's own tables: running the migrations on a copy fills them. */
const migrationTables = /^kysely_/u;

/** Exists while rows are being loaded: see {@link startBulkLoad}. */
export const unfinishedLoadTable = 'unfinished_load';

/** Whether a table's rows are not copied: triggers recreate them, or they mean nothing in a copy. */
export function isExcludedFromCopies(table: string): boolean {
	return (
		derivedTables.some((pattern) => pattern.test(table)) ||
		processTables.includes(table) ||
		table === unfinishedLoadTable
	);
}

/** Returns the names of all tables and views, Kysely's included, those of extensions excluded. */
export async function listTableNames(db: Db): Promise<string[]> {
	const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
	const rows = await createStatementRunner(db)(isPostgres ? postgresNames : sqliteNames);
	return rows.map(({ name }) => String(name));
}

/** Returns the tables that store rows, referenced tables first. @throws Error for circular references */
export async function describeTables(ask: RunStatement, kind: Connection['kind']): Promise<Table[]> {
	const columns = await ask(kind === 'sqlite' ? sqliteColumns : postgresColumns);
	const references = await ask(kind === 'sqlite' ? sqliteReferences : postgresReferences);
	const names = [...new Set(columns.map((row) => String(row.table)))].filter((name) => !migrationTables.test(name));
	const tables = names.map((name): Table => {
		const own = columns.filter((row) => row.table === name);
		const keys = own.filter((row) => Number(row.place) > 0).sort((a, b) => Number(a.place) - Number(b.place));
		const pointing = references.filter((row) => row.table === name);
		const parents = pointing.map((row) => String(row.parent)).filter((parent) => parent !== name);
		return {
			name,
			columns: own.map((row) => String(row.column)).sort(byBytes),
			keys: keys.map((row) => String(row.column)),
			textKeys: keys.filter((row) => /^text$/iu.test(String(row.type))).map((row) => String(row.column)),
			parents: [...new Set(parents)],
			selfReferences: pointing.filter((row) => row.parent === name).map((row) => String(row.column)),
		};
	});
	return sortParentsFirst(tables.sort((a, b) => byBytes(a.name, b.name)));
}

/** Returns the tables whose rows are copied. @throws Error for a table without a primary key: its rows have no order */
export function selectCopiedTables(tables: Table[]): Table[] {
	const copied = tables.filter(({ name }) => !isExcludedFromCopies(name));
	const keyless = copied.find(({ keys }) => keys.length === 0);
	if (keyless !== undefined) throw new Error(`The table ${keyless.name} has no primary key.`);
	return copied;
}

/** Returns a function that queries a database through its ordinary connection. */
export function createStatementRunner(db: Db): RunStatement {
	return async (statement) => (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows;
}

function sortParentsFirst(tables: Table[]): Table[] {
	const ordered: Table[] = [];
	const left = new Map(tables.map((table) => [table.name, table]));
	while (left.size > 0) {
		const free = [...left.values()].filter(({ parents }) => parents.every((parent) => !left.has(parent)));
		if (free.length === 0)
			throw new Error(`The tables ${[...left.keys()].join(', ')} point at each other in a circle.`);
		for (const table of free) {
			ordered.push(table);
			left.delete(table.name);
		}
	}
	return ordered;
}

function byBytes(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

// Plain tables only: the searches are 'virtual', and their data 'shadow' (sqlite.org/pragma.html#pragma_table_list).
const sqliteTables = `pragma_table_list as t where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'`;

const sqliteNames = `select name from pragma_table_list where schema = 'main' and name not like 'sqlite\\_%' escape '\\'`;

const sqliteColumns = `select t.name as "table", c.name as "column", c.type as type, c.pk as place
	from (select t.name as name from ${sqliteTables}) as t join pragma_table_info(t.name) as c`;

const sqliteReferences = `select t.name as "table", f."from" as "column", f."table" as parent
	from (select t.name as name from ${sqliteTables}) as t join pragma_foreign_key_list(t.name) as f`;

// Objects that an extension created are excluded.
const postgresOwn = `c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
	and not exists (select 1 from pg_depend e where e.objid = c.oid and e.deptype = 'e')`;
const postgresTables = `pg_class c where c.relkind in ('r', 'p') and ${postgresOwn}`;

const postgresNames = `select c.relname as name from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${postgresOwn}`;

const postgresColumns = `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
		coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as place
	from (select c.oid, c.relname from ${postgresTables}) as c
	join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
	left join pg_index i on i.indrelid = c.oid and i.indisprimary`;

const postgresReferences = `select c.relname as "table", a.attname as "column", p.relname as parent
	from (select c.oid, c.relname from ${postgresTables}) as c
	join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
	join pg_class p on p.oid = k.confrelid
	join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)`;
