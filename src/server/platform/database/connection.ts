import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Db, Schema } from './schema.ts';
import { requestWaitMs, sqliteDialect } from './sqlite-dialect.ts';

const int8 = 20;
const numeric = 1700;

/** Counts and sums are numbers on both databases: pg would hand out strings. */
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

/** Opens an embedded database file (created when missing). `waitMs`: how long a query waits for its turn, and for another process that writes. */
export function connectSqlite(file: string, waitMs: number = requestWaitMs): Connection {
	const db = new Kysely<Schema>({ dialect: sqliteDialect(file, waitMs) });
	return { db, kind: 'sqlite', pool: null, close: () => db.destroy() };
}

const defaultPoolSize = 12;

/**
 * Connections of one process: `pool_size` among the parameters of its address, from 2 to 200, else {@link defaultPoolSize};
 * null for what is no such number. The bus has one more.
 */
export function parsePoolSize(url: string): number | null {
	const wanted = Number(/[?&]pool_size=([^&]*)/u.exec(url)?.[1] ?? defaultPoolSize);
	return Number.isInteger(wanted) && wanted >= 2 && wanted <= 200 ? wanted : null;
}

/** Server and port that an address of PostgreSQL names, as a person may read them; null for an address that is of no use to the driver. */
export function parsePostgresHost(url: string): string | null {
	// The driver would go to this machine's own server where none is named.
	if (!URL.parse(url)?.hostname && !/[?&]host=[^&]/u.test(url)) return null;
	try {
		const { host, port } = new pg.Client({ connectionString: url });
		return `${host}:${port}`;
	} catch {
		return null;
	}
}

/** Opens a pool on a PostgreSQL server; `onError` hears of lost idle connections. */
export function connectPostgres(url: string, onError: (error: Error) => void): Connection {
	const pool = new pg.Pool({
		connectionString: url,
		max: parsePoolSize(url) ?? defaultPoolSize,
		types,
		connectionTimeoutMillis: 5000,
		// A connection that nobody uses while its other side vanishes is found out before somebody does.
		keepAlive: true,
		keepAliveInitialDelayMillis: 10_000,
	});
	pool.on('error', onError);
	// One in use that ends between two queries tells only itself, and an error that nobody hears ends the process.
	pool.on('connect', (client) => client.on('error', () => {}));
	const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
	return { db, kind: 'postgres', pool, close: () => db.destroy() };
}

export function isPostgres(db: Db): boolean {
	return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Asks the database for nothing in particular. @throws when it does not answer */
export async function probeDatabase(db: Db): Promise<void> {
	await sql`select 1`.execute(db);
}
