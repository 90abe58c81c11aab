import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Connection } from '../connection.ts';
import { describeTables, type RunStatement, selectCopiedTables, type Table } from './table-catalog.ts';

const batchSize = 500;

/** All rows as they were at one moment. Other connections can write meanwhile. */
interface Snapshot {
	/** Tables whose rows are copied, referenced tables first. */
	tables: Table[];
	migrations: string[];
	/** Yields a table's rows in the order of their keys, in batches; a row has its values in the order of `columns`. */
	rows(table: Table): AsyncGenerator<unknown[][]>;
	/** Ends the snapshot, so that the database no longer keeps old versions of changed rows. */
	close(): Promise<void>;
}

/** Opens a snapshot of the whole database on a separate connection. */
export async function openSnapshot(connection: Connection): Promise<Snapshot> {
	return connection.pool === null ? openSqliteSnapshot(connection) : openPostgresSnapshot(connection.pool);
}

/** Opens a read transaction: it reads one state and does not block writes (sqlite.org/isolation.html). */
async function openSqliteSnapshot({ db }: Connection): Promise<Snapshot> {
	const { rows: databases } = await sql<{
		file: string;
	}>`select file from pragma_database_list where name = 'main'`.execute(db);
	const database = new DatabaseSync(databases[0]?.file ?? '', { readOnly: true, timeout: 5000 });
	const runStatement: RunStatement = async (statement) => database.prepare(statement).all();
	try {
		// The snapshot is taken at the first read, not at `begin`.
		database.exec('begin; select count(*) from sqlite_master');
		return {
			...(await describeSnapshot(runStatement, 'sqlite')),
			async *rows(table) {
				const statement = database.prepare(selectStatement(table, ''));
				statement.setReturnArrays(true);
				let batch: unknown[][] = [];
				for (const row of statement.iterate()) {
					batch.push(row as unknown as unknown[]);
					if (batch.length < batchSize) continue;
					yield batch;
					batch = [];
					// SQLite reads block the event loop, and the timers that renew leases have to run between batches.
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
	const runStatement: RunStatement = async (statement) => (await client.query<Record<string, unknown>>(statement)).rows;
	let cursors = 0;
	try {
		await client.query('begin isolation level repeatable read read only');
		return {
			...(await describeSnapshot(runStatement, 'postgres')),
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
				// A broken connection is destroyed instead of returned to the pool.
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

async function describeSnapshot(runStatement: RunStatement, kind: Connection['kind']) {
	const tables = selectCopiedTables(await describeTables(runStatement, kind));
	const migrations = await runStatement('select name from kysely_migration order by name');
	return { tables, migrations: migrations.map(({ name }) => String(name)) };
}

/** Returns the query for a table's rows. Names are not escaped, because they are from the database's own catalogue. */
function selectStatement({ name, columns, keys, textKeys }: Table, textCollation: string): string {
	const order = keys.map((key) => (textKeys.includes(key) ? `"${key}"${textCollation}` : `"${key}"`));
	return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${name}" order by ${order.join(', ')}`;
}
