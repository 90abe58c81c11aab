import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	type Kysely,
	type QueryResult,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from 'kysely';
import { DatabaseBusyError } from './errors.ts';

/** The longest that a request waits for the database before it is answered with BUSY. */
export const requestWaitMs = 3000;
const statementCacheSize = 400;

/** SQLite can roll back schema changes. Kysely's adapter does not, and would leave a killed migration half done. */
class TransactionalSqliteAdapter extends SqliteAdapter {
	override get supportsTransactionalDdl(): boolean {
		return true;
	}

	/** Turns Kysely's own queue off, which has no timeout: the driver below queues its callers. */
	override get supportsMultipleConnections(): boolean {
		return true;
	}
}

/** Kysely over Node's own SQLite: one connection, write-ahead log, every commit synced to the disk. */
export function sqliteDialect(file: string, waitMs: number): Dialect {
	return {
		createAdapter: () => new TransactionalSqliteAdapter(),
		createDriver: () => new NodeSqliteDriver(file, waitMs),
		createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
		createQueryCompiler: () => new SqliteQueryCompiler(),
	};
}

/** A caller that waits for the connection. */
interface Waiting {
	resolve: () => void;
	/** Rejects the wait when it fires. */
	timer: NodeJS.Timeout;
}

/** Runs statements and transactions one caller at a time; after `waitMs` a caller gets a DatabaseBusyError. */
class NodeSqliteDriver implements Driver {
	readonly #file: string;
	readonly #waitMs: number;
	#connection: NodeSqliteConnection | undefined;
	#isTaken = false;
	readonly #queue: Waiting[] = [];
	/** Whether a transaction was committed since the connection was last acquired. */
	#hasCommitted = false;

	constructor(file: string, waitMs: number) {
		this.#file = file;
		this.#waitMs = waitMs;
	}

	async init(): Promise<void> {
		// A short timeout, because it blocks the event loop: statements are retried after an asynchronous wait.
		const database = new DatabaseSync(this.#file, { timeout: 5 });
		database.exec('pragma journal_mode = wal');
		database.exec('pragma synchronous = full');
		database.exec('pragma foreign_keys = on');
		database.exec('pragma cache_size = -32000');
		this.#connection = new NodeSqliteConnection(database, this.#waitMs);
	}

	async acquireConnection(): Promise<DatabaseConnection> {
		if (this.#isTaken) await this.#waitForTurn();
		this.#isTaken = true;
		if (this.#connection === undefined) throw new Error('The database is closed.');
		return this.#connection;
	}

	#waitForTurn(): Promise<void> {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#queue.splice(this.#queue.indexOf(waiting), 1);
				reject(new DatabaseBusyError());
			}, this.#waitMs);
			const waiting: Waiting = { resolve, timer };
			this.#queue.push(waiting);
		});
	}

	async releaseConnection(): Promise<void> {
		const hasCommitted = this.#hasCommitted;
		this.#hasCommitted = false;
		const next = this.#queue.shift();
		if (next === undefined) {
			this.#isTaken = false;
			return;
		}
		clearTimeout(next.timer);
		// A commit blocks the event loop until it is on disk. Other requests can run between two commits in a row.
		if (hasCommitted) setImmediate(next.resolve);
		else next.resolve();
	}

	async beginTransaction(connection: DatabaseConnection): Promise<void> {
		// Immediate: a transaction fails at its start, not at its first write, while another process writes.
		await connection.executeQuery(CompiledQuery.raw('begin immediate'));
	}

	async commitTransaction(connection: DatabaseConnection): Promise<void> {
		this.#hasCommitted = true;
		await connection.executeQuery(CompiledQuery.raw('commit'));
	}

	async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('rollback'));
	}

	async destroy(): Promise<void> {
		this.#connection?.close();
		this.#connection = undefined;
	}
}

/** Caches whether a statement returns rows: asking for its columns costs as much as a small query. */
interface PreparedStatement {
	statement: StatementSync;
	hasRows: boolean;
}

class NodeSqliteConnection implements DatabaseConnection {
	readonly #database: DatabaseSync;
	readonly #waitMs: number;
	readonly #statements = new Map<string, PreparedStatement>();

	constructor(database: DatabaseSync, waitMs: number) {
		this.#database = database;
		this.#waitMs = waitMs;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		const giveUpAt = performance.now() + this.#waitMs;
		for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
			try {
				return this.#run<R>(query);
			} catch (error) {
				if (!isBusy(error)) throw error;
				if (performance.now() + waitMs > giveUpAt) throw new DatabaseBusyError();
				await sleep(waitMs);
			}
		}
	}

	// biome-ignore lint/correctness/useYield: SQLite answers at once; nothing here streams rows.
	async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
		throw new Error('Streaming queries are not used on SQLite.');
	}

	close(): void {
		this.#statements.clear();
		this.#database.close();
	}

	#run<R>(query: CompiledQuery): QueryResult<R> {
		const { statement, hasRows } = this.#prepare(query.sql);
		const parameters = query.parameters as SQLInputValue[];
		if (hasRows) return { rows: statement.all(...parameters) as R[] };
		const { changes, lastInsertRowid } = statement.run(...parameters);
		return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
	}

	#prepare(sql: string): PreparedStatement {
		const known = this.#statements.get(sql);
		if (known !== undefined) return known;
		const statement = this.#database.prepare(sql);
		const prepared = { statement, hasRows: statement.columns().length > 0 };
		if (this.#statements.size >= statementCacheSize) this.#statements.clear();
		this.#statements.set(sql, prepared);
		return prepared;
	}
}

function isBusy(error: unknown): boolean {
	const code = (error as { errcode?: number }).errcode;
	return code !== undefined && [5, 6].includes(code & 0xff);
}
