import { sql } from 'kysely';
import pg from 'pg';
import type { Connection } from '../connection.ts';
import { isPostgres } from '../connection.ts';
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

/** Most values in one statement; both databases accept about 30,000. */
const maxValuesPerStatement = 2000;

/** An unfinished load of rows into a database. No server starts on the database while there is one. */
export interface BulkLoad {
	/**
	 * `move` and `moved` were written by older versions that could move an installation: `move` marks an unfinished
	 * target, `moved` a source whose stored files now belong to another database.
	 */
	kind: 'restore' | 'move' | 'moved';
	/** Identifies the source installation and the moment of its snapshot; '' before the first row can be loaded. */
	source: string;
}

/** Returns the load that was started on this database and not finished, or null. */
export async function findBulkLoad(db: Db): Promise<BulkLoad | null> {
	if (!(await listTableNames(db)).includes(unfinishedLoadTable)) return null;
	const { rows } = await sql<BulkLoad>`select kind, source from ${sql.table(unfinishedLoadTable)}`.execute(db);
	return rows[0] ?? { kind: 'restore', source: '' };
}

/**
 * Lets one process at a time load rows into a database. On PostgreSQL a connection outside the pool holds a
 * lock in an open transaction, so that the lock ends with the process, even behind a pooler. An embedded database is
 * locked by a file beside it (locking/process-lock.ts).
 * @returns a function that releases the lock, or null while another process holds it
 */
export async function acquireLoadingLock({ pool }: Connection): Promise<(() => Promise<void>) | null> {
	if (pool === null) return async () => {};
	const client = new pg.Client(pool.options);
	// A connection lost between two queries reports it only by this event; without a listener it would end the process.
	client.on('error', () => {});
	await client.connect();
	try {
		await client.query('begin');
		await client.query('set local idle_in_transaction_session_timeout = 0');
		const { rows } = await client.query<{ taken: boolean }>(
			"select pg_try_advisory_xact_lock(hashtext('folio-loading')) as taken",
		);
		if (rows[0]?.taken === true) return () => client.end();
	} catch (error) {
		await client.end();
		throw error;
	}
	await client.end();
	return null;
}

/** Prevents servers from starting on a database until {@link finishBulkLoad}. */
export async function startBulkLoad(db: Db): Promise<void> {
	await inTransaction(db, async (tx) => {
		await sql`create table ${sql.table(unfinishedLoadTable)} (kind text not null, source text not null)`.execute(tx);
		await sql`insert into ${sql.table(unfinishedLoadTable)} (kind, source) values ('restore', '')`.execute(tx);
	});
}

/** Records the source of the rows that are being loaded; '' when the rows have to be loaded again from the start. */
export async function setBulkLoadSource(db: Db, source: string): Promise<void> {
	await sql`update ${sql.table(unfinishedLoadTable)} set source = ${source}`.execute(db);
}

/** Ends the load after all rows were loaded: servers may start. */
export async function finishBulkLoad(db: Db): Promise<void> {
	await sql`drop table ${sql.table(unfinishedLoadTable)}`.execute(db);
}

/** Returns the tables of a migrated database whose rows are copied, referenced tables first. */
export async function listCopiedTables(db: Db): Promise<Table[]> {
	const kind = isPostgres(db) ? 'postgres' : 'sqlite';
	return selectCopiedTables(await describeTables(createStatementRunner(db), kind));
}

/** Deletes the rows of a migrated database: migrations insert a few. */
export async function emptyTables(db: Db, tables: Table[]): Promise<void> {
	for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db);
}

export async function countRows(db: Db, table: string): Promise<number> {
	const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
	return Number(rows[0]?.count ?? 0);
}

/** Number of texts that had to be changed to be stored. */
export interface ReplacementCounts {
	/** PostgreSQL stores no NUL character (postgresql.org/docs/current/datatype-character.html); U+FFFD replaces it. */
	nuls: number;
}

/**
 * Inserts rows in one transaction; the caller passes them in the order of their keys. {@link linkSelfReferences} sets
 * references to later rows.
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

/** Sets the references that {@link appendRows} left null, after all rows of a table were inserted; may be repeated. */
export async function linkSelfReferences(db: Db, table: Table, rows: unknown[][]): Promise<void> {
	const keys = table.keys.map((key) => table.columns.indexOf(key));
	for (const column of table.selfReferences) {
		const at = table.columns.indexOf(column);
		const pointing = rows.filter((row) => row[at] !== null && isForwardReference(table, row, at));
		if (pointing.length === 0) continue;
		await inTransaction(db, async (tx) => {
			for (const some of chunksOf(pointing, keys.length + 1)) {
				// Both databases name the columns of `values` column1, column2 and so on.
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

/** Whether a row refers to a row of its own table that is inserted later, or this cannot be determined. */
function isForwardReference({ keys, textKeys, columns }: Table, row: unknown[], at: number): boolean {
	const [key] = keys;
	if (key === undefined || keys.length > 1 || !textKeys.includes(key)) return true;
	return Buffer.compare(Buffer.from(String(row[at])), Buffer.from(String(row[columns.indexOf(key)]))) > 0;
}

/** Returns a row as this database can store it, and counts the replacements. */
export function toStorableRow(db: Db, row: unknown[], replaced: ReplacementCounts): unknown[] {
	if (!isPostgres(db)) return row;
	return row.map((value) => {
		if (typeof value !== 'string' || !value.includes('\0')) return value;
		replaced.nuls += 1;
		return value.replaceAll('\0', '\u{FFFD}');
	});
}

/** Drops everything in a database, which the caller has checked to be ours and to hold nothing worth keeping. */
export async function dropEverything(db: Db): Promise<void> {
	const { rows } = await sql<{ statement: string }>`${sql.raw(isPostgres(db) ? postgresDrops : sqliteDrops)}`.execute(
		db,
	);
	// On SQLite dropping a table checks the tables that refer to it, and some of them are dropped already.
	if (!isPostgres(db)) await sql`pragma foreign_keys = off`.execute(db);
	try {
		for (const { statement } of rows) await sql.raw(statement).execute(db);
	} finally {
		if (!isPostgres(db)) await sql`pragma foreign_keys = on`.execute(db);
	}
}

export async function hasNoTables(db: Db): Promise<boolean> {
	return (await listTableNames(db)).length === 0;
}

/** Whether there are no users, files or orders: nothing that loading could overwrite. */
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

// Dropping a virtual table drops its shadow tables; the fts5vocab table of a search is dropped before the search.
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
