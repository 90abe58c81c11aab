import { PostgresAdapter, sql } from 'kysely';
import pg from 'pg';
import type { Connection } from '../connection.ts';
import type { Db } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import {
	createStatementRunner,
	describeTables,
	listTableNames,
	selectCopiedTables,
	type Table,
	unfinishedLoadTable,
} from './table-catalog.ts';

/** Values of one statement: both databases take some 30,000. */
const maxValuesPerStatement = 2000;

/** What is loaded into a database, and where it comes from; as long as it stands, no server starts on it. */
export interface BulkLoad {
	/** `moved`: nothing is loaded; what was here is elsewhere now, and the stored files belong to it. */
	kind: 'restore' | 'move' | 'moved';
	/** The installation that the rows come from, and of which moment they are; '' before the first can be loaded. */
	source: string;
}

/** The loading that this database is in the middle of, if one was begun and not finished. */
export async function findBulkLoad(db: Db): Promise<BulkLoad | null> {
	if (!(await listTableNames(db)).includes(unfinishedLoadTable)) return null;
	const { rows } = await sql<BulkLoad>`select kind, source from ${sql.table(unfinishedLoadTable)}`.execute(db);
	return rows[0] ?? { kind: 'restore', source: '' };
}

/**
 * Lets one process at a time load rows into a database, or move it. On PostgreSQL a connection beside the pool holds a lock
 * in an open transaction, so that it ends with the process, and behind a pooler too; an embedded database is kept by a file
 * beside it (locking/process-lock.ts).
 * @returns a function that releases the lock, or null while another process holds it
 */
export async function acquireDatabaseLock(
	{ pool }: Connection,
	work: 'loading' | 'move',
): Promise<(() => Promise<void>) | null> {
	if (pool === null) return async () => {};
	const client = new pg.Client(pool.options);
	// One that is lost between two queries tells only itself, and an error that nobody hears ends the process.
	client.on('error', () => {});
	await client.connect();
	try {
		await client.query('begin');
		await client.query('set local idle_in_transaction_session_timeout = 0');
		const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock(hashtext($1)) as taken', [
			`folio-${work}`,
		]);
		if (rows[0]?.taken === true) return () => client.end();
	} catch (error) {
		await client.end();
		throw error;
	}
	await client.end();
	return null;
}

/** Marks a database as not to be started on, until {@link finishBulkLoad}. */
export async function startBulkLoad(db: Db, kind: BulkLoad['kind']): Promise<void> {
	await inTransaction(db, async (tx) => {
		await sql`create table ${sql.table(unfinishedLoadTable)} (kind text not null, source text not null)`.execute(tx);
		await sql`insert into ${sql.table(unfinishedLoadTable)} (kind, source) values (${kind}, '')`.execute(tx);
	});
}

/** Says which rows are being loaded, once there is room for them; '' when what is there has to be loaded anew. */
export async function setBulkLoadSource(db: Db, source: string): Promise<void> {
	await sql`update ${sql.table(unfinishedLoadTable)} set source = ${source}`.execute(db);
}

/** All rows are there: servers may start. */
export async function finishBulkLoad(db: Db): Promise<void> {
	await sql`drop table ${sql.table(unfinishedLoadTable)}`.execute(db);
}

/** The tables of a migrated database whose rows copies take along, those that others point at first. */
export async function listCopiedTables(db: Db): Promise<Table[]> {
	const kind = isPostgres(db) ? 'postgres' : 'sqlite';
	return selectCopiedTables(await describeTables(createStatementRunner(db), kind));
}

/** Empties a migrated database: migrations write a few rows of their own. */
export async function emptyTables(db: Db, tables: Table[]): Promise<void> {
	for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db);
}

export async function countRows(db: Db, table: string): Promise<number> {
	const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
	return Number(rows[0]?.count ?? 0);
}

/** How many texts could not be kept as they were. */
export interface ReplacementCounts {
	/** PostgreSQL keeps no NUL sign (postgresql.org/docs/current/datatype-character.html): it becomes U+FFFD. */
	nuls: number;
}

/**
 * Adds rows in the order of their keys, all of them or none. What points at a row of the same table that comes later
 * stays empty until {@link linkSelfReferences}.
 */
export async function appendRows(db: Db, table: Table, rows: unknown[][]): Promise<void> {
	const target = sql`${sql.table(table.name)} (${sql.join(table.columns.map((column) => sql.ref(column)))})`;
	const pointing = table.selfReferences.map((column) => table.columns.indexOf(column));
	await inTransaction(db, async (tx) => {
		for (const some of chunksOf(rows, table.columns.length)) {
			const values = some.map((row) => {
				const fit = toStorableRow(db, row, { nuls: 0 }).map((value, at) =>
					pointing.includes(at) && isForwardReference(table, row, at) ? null : value,
				);
				return sql`(${sql.join(fit)})`;
			});
			await sql`insert into ${target} values ${sql.join(values)}`.execute(tx);
		}
	});
}

/** The second half of {@link appendRows}, once all rows of a table are there; harmless when done again. */
export async function linkSelfReferences(db: Db, table: Table, rows: unknown[][]): Promise<void> {
	const keys = table.keys.map((key) => table.columns.indexOf(key));
	for (const column of table.selfReferences) {
		const at = table.columns.indexOf(column);
		const pointing = rows.filter((row) => row[at] !== null && isForwardReference(table, row, at));
		if (pointing.length === 0) continue;
		await inTransaction(db, async (tx) => {
			for (const some of chunksOf(pointing, keys.length + 1)) {
				// Both databases name the columns of `values` so.
				const values = some.map((row) => sql`(${sql.join([row[at], ...keys.map((key) => row[key])])})`);
				const isSame = table.keys.map(
					(key, place) => sql`${sql.ref(`${table.name}.${key}`)} = ${sql.ref(`v.column${place + 2}`)}`,
				);
				await sql`update ${sql.table(table.name)} set ${sql.ref(column)} = v.column1
					from (values ${sql.join(values)}) as v where ${sql.join(isSame, sql` and `)}`.execute(tx);
			}
		});
	}
}

/** Whether a row points at one of its own table that is not there yet, when rows come in the order of their keys. */
function isForwardReference({ keys, textKeys, columns }: Table, row: unknown[], at: number): boolean {
	const [key] = keys;
	if (key === undefined || keys.length > 1 || !textKeys.includes(key)) return true;
	return Buffer.compare(Buffer.from(String(row[at])), Buffer.from(String(row[columns.indexOf(key)]))) > 0;
}

/** A row as this database can keep it. */
export function toStorableRow(db: Db, row: unknown[], replaced: ReplacementCounts): unknown[] {
	if (!isPostgres(db)) return row;
	return row.map((value) => {
		if (typeof value !== 'string' || !value.includes('\0')) return value;
		replaced.nuls += 1;
		return value.replaceAll('\0', '\u{FFFD}');
	});
}

/**
 * Removes everything from a database that is a product's own and holds nothing worth keeping: tables, views and, on
 * PostgreSQL, functions of its schema. The caller has made sure of that.
 */
export async function dropEverything(db: Db): Promise<void> {
	const { rows } = await sql<{ statement: string }>`${sql.raw(isPostgres(db) ? postgresDrops : sqliteDrops)}`.execute(
		db,
	);
	// On SQLite a dropped table looks at the tables that point at it, and finds some of them gone already.
	if (!isPostgres(db)) await sql`pragma foreign_keys = off`.execute(db);
	try {
		for (const { statement } of rows) await sql.raw(statement).execute(db);
	} finally {
		if (!isPostgres(db)) await sql`pragma foreign_keys = on`.execute(db);
	}
}

/** Whether a database has no table at all. */
export async function hasNoTables(db: Db): Promise<boolean> {
	return (await listTableNames(db)).length === 0;
}

/** Whether there is nobody, no file and no order: nothing that a loading could destroy. */
export async function isEmptyInstallation(db: Db): Promise<boolean> {
	const names = new Set(await listTableNames(db));
	for (const table of ['users', 'nodes', 'orders', 'blobs'])
		if (names.has(table) && (await countRows(db, table)) > 0) return false;
	return true;
}

function* chunksOf<T>(rows: T[], width: number): Generator<T[]> {
	const size = Math.max(1, Math.floor(maxValuesPerStatement / width));
	for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

function isPostgres(db: Db): boolean {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}

// Virtual tables take their shadows along; the vocabulary of a search goes before the search.
const sqliteDrops = `select 'drop ' || type || ' if exists "' || replace(name, '"', '""') || '"' as statement from (
	select 'view' as type, name, 0 as turn from pragma_table_list where schema = 'main' and type = 'view'
	union all select 'table', name, case when name like '%\\_pieces' escape '\\' then 1 else 2 end from pragma_table_list
		where schema = 'main' and type = 'virtual'
	union all select 'table', name, 3 from pragma_table_list
		where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\') order by turn`;

const postgresDrops = `select format('drop %s if exists %I cascade', case relkind when 'v' then 'view' else 'table' end, relname) as statement
	from pg_class c join pg_namespace n on n.oid = c.relnamespace
	where n.nspname = current_schema() and relkind in ('r', 'p', 'v')
		and not exists (select 1 from pg_depend e where e.objid = c.oid and e.deptype = 'e')
	union all
	select format('drop function if exists %s cascade', p.oid::regprocedure)
	from pg_proc p join pg_namespace n on n.oid = p.pronamespace
	where n.nspname = current_schema() and not exists (select 1 from pg_depend e where e.objid = p.oid and e.deptype = 'e')`;
