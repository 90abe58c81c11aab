import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Connection } from '../connection.ts';
import { describeTables, type RunStatement, selectCopiedTables, type Table } from './table-catalog.ts';

const batchSize = 500;

/** All rows as they were at one moment, while other connections go on writing. */
export interface Snapshot {
	/** Tables whose rows are copied, referenced tables first. */
	tables: Table[];
	/** Names of the migrations that the database has, in order. */
	migrations: string[];
	/** Yields a table's rows by key, in batches of some hundred; each row has its values in the order of `columns`. */
	rows(table: Table): AsyncGenerator<unknown[][]>;
	/** Ends the snapshot. Until then the database keeps the old versions of all changed rows. */
	close(): Promise<void>;
}

/** Opens a snapshot of the whole database on a separate connection. */
export async function openSnapshot(connection: Connection): Promise<Snapshot> {
	return connection.pool === null ? openSqliteSnapshot(connection) : openPostgresSnapshot(connection.pool);
}

/** Opens a read transaction, which sees one state and blocks no writer (sqlite.org/isolation.html). */
async function openSqliteSnapshot({ db }: Connection): Promise<Snapshot> {
	const { rows: databases } = await sql<{
		file: string;
	}>`select file from pragma_database_list where name = 'main'`.execute(db);
	const database = new DatabaseSync(databases[0]?.file ?? '', { readOnly: true, timeout: 5000 });
	const ask: RunStatement = async (statement) => database.prepare(statement).all();
	try {
		// The state is taken by the first read, not by `begin`.
		database.exec('begin; select count(*) from sqlite_master');
		return {
			...(await describeSnapshot(ask, 'sqlite')),
			async *rows(table) {
				const statement = database.prepare(selectStatement(table, ''));
				statement.setReturnArrays(true);
				let batch: unknown[][] = [];
				for (const row of statement.iterate()) {
					batch.push(row as unknown as unknown[]);
					if (batch.length < batchSize) continue;
					yield batch;
					batch = [];
					// SQLite reads block the event loop: timers, such as those that renew a lease, have to run between batches.
					await setImmediate();
				}
				if (batch.length > 0) yield batch;
			},
			async close() {
				database.close();
			},
		};
	} catch (error) {
		database.close();
		throw error;
	}
}

async function openPostgresSnapshot(pool: pg.Pool): Promise<Snapshot> {
	const client = await pool.connect();
	const ask: RunStatement = async (statement) => (await client.query<Record<string, unknown>>(statement)).rows;
	let cursors = 0;
	try {
		await client.query('begin isolation level repeatable read read only');
		return {
			...(await describeSnapshot(ask, 'postgres')),
			async *rows(table) {
				cursors += 1;
				const cursor = `copied_${cursors}`;
				await client.query(`declare ${cursor} no scroll cursor for ${selectStatement(table, ' collate "C"')}`);
				for (;;) {
					const { rows } = await client.query<unknown[]>({
						text: `fetch ${batchSize} from ${cursor}`,
						rowMode: 'array',
					});
					if (rows.length === 0) break;
					yield rows;
				}
				await client.query(`close ${cursor}`);
			},
			async close() {
				// A broken connection is not returned to the pool.
				await client.query('rollback').then(
					() => client.release(),
					(error: Error) => client.release(error),
				);
			},
		};
	} catch (error) {
		client.release(true);
		throw error;
	}
}

async function describeSnapshot(
	ask: RunStatement,
	kind: Connection['kind'],
): Promise<Pick<Snapshot, 'tables' | 'migrations'>> {
	const tables = selectCopiedTables(await describeTables(ask, kind));
	const migrations = await ask('select name from kysely_migration order by name');
	return { tables, migrations: migrations.map(({ name }) => String(name)) };
}

/** Builds the query for a table; the names need no escaping, for they come from the database's own catalogue. */
function selectStatement({ name, columns, keys, textKeys }: Table, byBytes: string): string {
	const order = keys.map((key) => (textKeys.includes(key) ? `"${key}"${byBytes}` : `"${key}"`));
	return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${name}" order by ${order.join(', ')}`;
}
