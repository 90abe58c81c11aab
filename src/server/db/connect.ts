import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db, Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

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

/** Opens an embedded database file (created when missing). */
export function connectSqlite(file: string): Connection {
	const db = new Kysely<Schema>({ dialect: sqliteDialect(file) });
	return { db, kind: 'sqlite', pool: null, close: () => db.destroy() };
}

/** Opens a pool on a PostgreSQL server; `onError` hears of lost idle connections. */
export function connectPostgres(url: string, onError: (error: Error) => void): Connection {
	const pool = new pg.Pool({ connectionString: url, max: 12, types, connectionTimeoutMillis: 5000 });
	pool.on('error', onError);
	const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
	return { db, kind: 'postgres', pool, close: () => db.destroy() };
}
