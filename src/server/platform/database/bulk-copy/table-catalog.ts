import { sql } from 'kysely';
import { type Connection, isPostgres } from '../connection.ts';
import type { Db } from '../schema.ts';

/** A table, as described by the database's catalogue. */
export interface Table {
	name: string;
	/** Sorted by name, because their order in the database depends on the migrations that created them. */
	columns: string[];
	/** Columns of the primary key; rows are read in the order of these columns. */
	keys: string[];
	/** Text columns of `keys`, which have to be sorted by bytes on both databases. */
	textKeys: string[];
	/** Other tables to which foreign keys of this table refer. */
	parents: string[];
	/** Columns that refer to rows of the same table. */
	selfReferences: string[];
}

export type RunStatement = (statement: string) => Promise<Array<Record<string, unknown>>>;

/**
 * Tables that triggers fill when other rows are inserted: counts, and row numbers of searches. The search tables
 * themselves are views or virtual tables, which {@link describeTables} leaves out.
 */
const derivedTables = [/^users_counts$/u, /^orders_totals$/u, /_search_rows$/u];

/**
 * Tables about running processes, which have no meaning in a copy. The last two names are those from before migration
 * 0021: a backup that is made before the upgrade finds tables with these names.
 */
const processTables = ['process_leases', 'leases', 'deferred_deletes', 'holds', 'put_off_removals'];

/** Kysely's tables, which are filled when the migrations are run on a copy. */
const migrationTables = /^kysely_/u;

/** Name of the table that exists while rows are being loaded; see {@link startBulkLoad}. */
export const unfinishedLoadTable = 'unfinished_load';

/** Whether a table's rows are not copied, because triggers recreate them or they have no meaning in a copy. */
export function isExcludedFromCopies(table: string): boolean {
	return (
		derivedTables.some((pattern) => pattern.test(table)) ||
		processTables.includes(table) ||
		table === unfinishedLoadTable
	);
}

/** Returns the names of all tables and views, including Kysely's, except those of extensions. */
export async function listTableNames(db: Db): Promise<string[]> {
	const rows = await createStatementRunner(db)(isPostgres(db) ? postgresNames : sqliteNames);
	return rows.map(({ name }) => String(name));
}

/** Returns all ordinary tables except Kysely's, referenced tables first. @throws Error for circular references */
export async function describeTables(runStatement: RunStatement, kind: Connection['kind']): Promise<Table[]> {
	const columns = await runStatement(kind === 'sqlite' ? sqliteColumns : postgresColumns);
	const references = await runStatement(kind === 'sqlite' ? sqliteReferences : postgresReferences);
	const names = [...new Set(columns.map((row) => String(row.table)))].filter((name) => !migrationTables.test(name));
	const tables = names.map((name): Table => {
		const ownColumns = columns.filter((row) => row.table === name);
		const keys = ownColumns.filter((row) => Number(row.place) > 0).sort((a, b) => Number(a.place) - Number(b.place));
		const ownReferences = references.filter((row) => row.table === name);
		const parents = ownReferences.map((row) => String(row.parent)).filter((parent) => parent !== name);
		return {
			name,
			columns: ownColumns.map((row) => String(row.column)).sort(byBytes),
			keys: keys.map((row) => String(row.column)),
			textKeys: keys.filter((row) => /^text$/iu.test(String(row.type))).map((row) => String(row.column)),
			parents: [...new Set(parents)],
			selfReferences: ownReferences.filter((row) => row.parent === name).map((row) => String(row.column)),
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

export function createStatementRunner(db: Db): RunStatement {
	return async (statement) => (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows;
}

function sortParentsFirst(tables: Table[]): Table[] {
	const ordered: Table[] = [];
	const remaining = new Map(tables.map((table) => [table.name, table]));
	while (remaining.size > 0) {
		const next = [...remaining.values()].filter(({ parents }) => parents.every((parent) => !remaining.has(parent)));
		if (next.length === 0)
			throw new Error(`The tables ${[...remaining.keys()].join(', ')} refer to each other in a circle.`);
		for (const table of next) {
			ordered.push(table);
			remaining.delete(table.name);
		}
	}
	return ordered;
}

function byBytes(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

// Search tables have the types 'virtual' and 'shadow' instead (sqlite.org/pragma.html#pragma_table_list).
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
