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

/** Maximum number of values in one statement; both databases accept about 30,000. */
const maxValuesPerStatement = 2000;

/** An unfinished load of rows into a database, which prevents servers from starting on the database. */
interface BulkLoad {
	/**
	 * `move` and `moved` are from older versions, which could move an installation to another database. The target of an
	 * unfinished move has `move`, the source of a finished move has `moved`.
	 */
	kind: 'restore' | 'move' | 'moved';
	/**
	 * '' before the first row is loaded; then `ID INSTALLATION TIME`: the new installation's id, and the installation and
	 * time of the loaded backup; `ID` alone if the rows have to be loaded again. Earlier versions: `INSTALLATION TIME`.
	 */
	source: string;
}

/** Returns the load that was started on this database and not finished, or null. */
export async function findBulkLoad(db: Db): Promise<BulkLoad | null> {
	if (!(await listTableNames(db)).includes(unfinishedLoadTable)) return null;
	const { rows } = await sql<BulkLoad>`select kind, source from ${sql.table(unfinishedLoadTable)}`.execute(db);
	return rows[0] ?? { kind: 'restore', source: '' };
}

/**
 * Acquires a lock so that only one process at a time loads rows. On PostgreSQL this is an advisory lock of an open
 * transaction on a separate connection. PostgreSQL releases it when the process ends, even if a connection pooler is
 * used. An embedded database has a lock file instead (locking/process-lock.ts).
 * @returns a function that releases the lock, or null while another process has it
 */
export async function acquireLoadingLock({ pool }: Connection): Promise<(() => Promise<void>) | null> {
	if (pool === null) return async () => {};
	const client = new pg.Client(pool.options);
	// A connection that is lost between two queries emits only this event; without a listener, it would end the process.
	client.on('error', () => {});
	await client.connect();
	let isAcquired = false;
	try {
		await client.query('begin');
		await client.query('set local idle_in_transaction_session_timeout = 0');
		const { rows } = await client.query<{ taken: boolean }>(
			"select pg_try_advisory_xact_lock(hashtext('folio-loading')) as taken",
		);
		isAcquired = rows[0]?.taken === true;
	} finally {
		if (!isAcquired) await client.end();
	}
	return isAcquired ? () => client.end() : null;
}

/** Starts a load: no server starts on the database until {@link finishBulkLoad}. */
export async function startBulkLoad(db: Db): Promise<void> {
	await inTransaction(db, async (tx) => {
		await sql`create table ${sql.table(unfinishedLoadTable)} (kind text not null, source text not null)`.execute(tx);
		await sql`insert into ${sql.table(unfinishedLoadTable)} (kind, source) values ('restore', '')`.execute(tx);
	});
}

/** Records which backup is being loaded; see {@link BulkLoad.source}. */
export async function setBulkLoadSource(db: Db, source: string): Promise<void> {
	await sql`update ${sql.table(unfinishedLoadTable)} set source = ${source}`.execute(db);
}

/** Ends a load after all rows were inserted, so that servers can start. */
export async function finishBulkLoad(db: Db): Promise<void> {
	await sql`drop table ${sql.table(unfinishedLoadTable)}`.execute(db);
}

/** Returns the tables whose rows are copied, referenced tables first. The database must be migrated. */
export async function listCopiedTables(db: Db): Promise<Table[]> {
	const kind = isPostgres(db) ? 'postgres' : 'sqlite';
	return selectCopiedTables(await describeTables(createStatementRunner(db), kind));
}

/** Deletes all rows of the tables; called after migrations, which insert some rows. */
export async function emptyTables(db: Db, tables: Table[]): Promise<void> {
	for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db);
}

export async function countRows(db: Db, table: string): Promise<number> {
	const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
	return Number(rows[0]?.count ?? 0);
}

/**
 * Inserts rows, in the order of their keys, in one transaction. References to later rows of the same table are null
 * until {@link linkSelfReferences}.
 */
export async function appendRows(db: Db, table: Table, rows: unknown[][]): Promise<void> {
	const target = sql`${sql.table(table.name)} (${sql.join(table.columns.map((column) => sql.ref(column)))})`;
	const selfReferenceIndexes = table.selfReferences.map((column) => table.columns.indexOf(column));
	await inTransaction(db, async (tx) => {
		for (const batch of batchesOf(rows, table.columns.length)) {
			const values = batch.map((row) => {
				const storable = toStorableRow(db, row).map((value, at) =>
					selfReferenceIndexes.includes(at) && isForwardReference(table, row, at) ? null : value,
				);
				return sql`(${sql.join(storable)})`;
			});
			await sql`insert into ${target} values ${sql.join(values)}`.execute(tx);
		}
	});
}

/** Sets the references that {@link appendRows} left null. Call after all rows were inserted; may be repeated. */
export async function linkSelfReferences(db: Db, table: Table, rows: unknown[][]): Promise<void> {
	const keys = table.keys.map((key) => table.columns.indexOf(key));
	for (const column of table.selfReferences) {
		const at = table.columns.indexOf(column);
		const referringRows = rows.filter((row) => row[at] !== null && isForwardReference(table, row, at));
		if (referringRows.length === 0) continue;
		await inTransaction(db, async (tx) => {
			for (const batch of batchesOf(referringRows, keys.length + 1)) {
				// On both databases the columns of `values` are named column1, column2 and so on.
				const values = batch.map((row) => sql`(${sql.join([row[at], ...keys.map((key) => row[key])])})`);
				const keysAreEqual = table.keys.map(
					(key, index) => sql`${sql.ref(`${table.name}.${key}`)} = ${sql.ref(`v.column${index + 2}`)}`,
				);
				await sql`update ${sql.table(table.name)} set ${sql.ref(column)} = v.column1
					from (values ${sql.join(values)}) as v where ${sql.join(keysAreEqual, sql` and `)}`.execute(tx);
			}
		});
	}
}

/** Whether a row refers, or may refer, to a later row of its table. */
function isForwardReference({ keys, textKeys, columns }: Table, row: unknown[], at: number): boolean {
	const [key] = keys;
	if (key === undefined || keys.length > 1 || !textKeys.includes(key)) return true;
	return Buffer.compare(Buffer.from(String(row[at])), Buffer.from(String(row[columns.indexOf(key)]))) > 0;
}

/**
 * Returns a row that this database can store: NUL characters, which PostgreSQL cannot store (postgresql.org, 'Character
 * Types'), are replaced by U+FFFD.
 */
export function toStorableRow(db: Db, row: unknown[]): unknown[] {
	if (!isPostgres(db)) return row;
	return row.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value));
}

/** Drops all tables, views and functions. The caller checks that they are Folio's and that the rows are not needed. */
export async function dropEverything(db: Db): Promise<void> {
	const { rows } = await sql<{ statement: string }>`${sql.raw(isPostgres(db) ? postgresDrops : sqliteDrops)}`.execute(
		db,
	);
	// Foreign keys are off, because dropping a table would fail after a table that it refers to was dropped.
	if (!isPostgres(db)) await sql`pragma foreign_keys = off`.execute(db);
	try {
		for (const { statement } of rows) await sql.raw(statement).execute(db);
	} finally {
		if (!isPostgres(db)) await sql`pragma foreign_keys = on`.execute(db);
	}
}

/** Whether a database has no users, files or orders. A restore would delete them. */
export async function isEmptyInstallation(db: Db): Promise<boolean> {
	const names = new Set(await listTableNames(db));
	for (const table of ['users', 'nodes', 'orders', 'blobs'])
		if (names.has(table) && (await countRows(db, table)) > 0) return false;
	return true;
}

function* batchesOf<T>(rows: T[], width: number): Generator<T[]> {
	const size = Math.max(1, Math.floor(maxValuesPerStatement / width));
	for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

// Dropping a virtual table also drops its shadow tables. An fts5vocab table has to be dropped before its search table.
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
