import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresAdapter, PostgresDialect, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { statementNames } from './query-preparation.ts';
import type { Db, Schema } from './schema.ts';
import { requestWaitMs, sqliteDialect } from './sqlite-dialect.ts';

const int8 = 20;
const numeric = 1700;

/** Parses counts and sums as numbers, as on SQLite; pg returns them as strings by default. */
const types: pg.CustomTypesConfig = {
	getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
		oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export interface Connection {
	db: Db;
	kind: 'sqlite' | 'postgres';
	/** Null on SQLite. */
	pool: pg.Pool | null;
	close(): Promise<void>;
}

/** Returns the path of an embedded database. */
export function databaseFileOf(dataDir: string): string {
	return join(dataDir, 'folio.db');
}

/** Whether the configured database exists, as far as that can be told without connecting to it. */
export function hasDatabase(config: { DATA_DIR: string; DATABASE_URL?: string | undefined }): boolean {
	return config.DATABASE_URL !== undefined || existsSync(databaseFileOf(config.DATA_DIR));
}

/** Opens an embedded database; creates the file if needed. @param waitMs after which a waiting query fails */
export function connectSqlite(file: string, waitMs: number = requestWaitMs): Connection {
	const db = new Kysely<Schema>({ dialect: sqliteDialect(file, waitMs) });
	return { db, kind: 'sqlite', pool: null, close: () => db.destroy() };
}

const defaultPoolSize = 12;

/**
 * Returns the number of connections in the pool of one process: the parameter `pool_size` of the URL, from 2 to 200, or
 * the default; null for an invalid number. The bus uses one more connection.
 */
export function parsePoolSize(url: string): number | null {
	const size = Number(/[?&]pool_size=([^&]*)/u.exec(url)?.[1] ?? defaultPoolSize);
	return Number.isInteger(size) && size >= 2 && size <= 200 ? size : null;
}

/** Returns host and port of a PostgreSQL URL, for messages; null for a URL that the driver cannot use. */
export function parsePostgresHost(url: string): string | null {
	// Without a host, the driver would connect to a server on this machine.
	if (!URL.parse(url)?.hostname && !/[?&]host=[^&]/u.test(url)) return null;
	try {
		const { host, port } = new pg.Client({ connectionString: url });
		return `${host}:${port}`;
	} catch {
		return null;
	}
}

/** Opens a connection pool on a PostgreSQL server; `onError` is called when an idle connection is lost. */
export function connectPostgres(url: string, onError: (error: Error) => void): Connection {
	const pool = new pg.Pool({
		connectionString: url,
		max: parsePoolSize(url) ?? defaultPoolSize,
		types,
		// A query is sent without waiting for the answers to earlier queries, see `inOneRoundTrip`.
		pipeline: true,
		connectionTimeoutMillis: 5000,
		// Detects a dead idle connection before a query is sent on it.
		keepAlive: true,
		keepAliveInitialDelayMillis: 10_000,
	});
	pool.on('error', onError);
	// A connection that is lost between two queries emits only this event; without a listener, it would end the process.
	pool.on('connect', (client) => {
		client.on('error', () => {});
		sendByName(client);
	});
	const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
	return { db, kind: 'postgres', pool, close: () => db.destroy() };
}

/**
 * Makes a connection send prepared queries by name, so that PostgreSQL parses each once, and plans it again only as long
 * as plans for its values are cheaper than one for all. Measured: a page of 50 files takes PostgreSQL 0.33 ms of
 * processor time instead of 0.86, and this process 0.58 instead of 0.76.
 *
 * A limit must stay a parameter: for a plan without values, PostgreSQL then expects to read a tenth of the rows, and
 * prefers an index in the order of the list. With the limit in the SQL it may sort the folder: measured with 100,000
 * files beside many small folders, 0.6 s for each page.
 */
function sendByName(client: pg.PoolClient): void {
	const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
	const { stream } = client.connection;
	client.query = ((text: string, values: unknown, ...rest: unknown[]) => {
		// Queries that start together leave in one system call. Measured: 1.5 ms for a small upload instead of 2.0.
		stream.cork();
		queueMicrotask(() => stream.uncork());
		const name = statementNames.get(text);
		return name === undefined ? send(text, values, ...rest) : send({ name, text, values }, ...rest);
	}) as typeof client.query;
}

export function isPostgres(db: Db): boolean {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Runs a query that does nothing. @throws Error when the database does not respond */
export async function probeDatabase(db: Db): Promise<void> {
	await sql`select 1`.execute(db);
}

/** Returns SQL for the database's time plus some seconds. The clocks of several servers may differ. */
export function databaseTime(db: Db, plusSeconds = 0): RawBuilder<string> {
	if (!isPostgres(db)) return sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${plusSeconds} seconds`})`;
	const moment = sql`clock_timestamp() + make_interval(secs => ${plusSeconds})`;
	return sql<string>`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Reads {@link databaseTime} as a value, for code that needs the time before it writes. */
export async function readDatabaseTime(db: Db, plusSeconds = 0): Promise<string> {
	return (await db.selectNoFrom(databaseTime(db, plusSeconds).as('moment')).executeTakeFirstOrThrow()).moment;
}
