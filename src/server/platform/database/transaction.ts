import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, type SelectQueryBuilder, sql, Transaction } from 'kysely';
import { awaitAll } from './await-all.ts';
import { isPostgres } from './connection.ts';
import type { Db, Schema } from './schema.ts';

const pendingCallbacks = new AsyncLocalStorage<Array<() => void>>();

/**
 * Runs `work` in one transaction. Inside, use only `tx`, and await nothing slow (network, hashing): on SQLite all other
 * queries wait until the transaction ends.
 * @throws Error when called inside another transaction, because on SQLite it would wait for itself
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
	if (pendingCallbacks.getStore())
		throw new Error(
			'inTransaction was called inside a transaction: pass the transaction to the inner function instead.',
		);
	const callbacks: Array<() => void> = [];
	const result = await db.transaction().execute((tx) => pendingCallbacks.run(callbacks, () => work(tx)));
	for (const callback of callbacks) callback();
	return result;
}

/**
 * Runs queries that do not need each other's results, on one connection. PostgreSQL gets all of them in one round trip:
 * `start` starts them, and they run in the order in which they are started. A query that one of them starts later runs
 * after all of these. Measured with small uploads, 8 at a time: 1.5 ms of processor time for each instead of 2.2, PostgreSQL 0.7 instead of 1.2.
 */
export async function inOneRoundTrip<Running extends readonly unknown[]>(db: Db, start: (db: Db) => [...Running]) {
	const executor = db.getExecutor();
	return executor.provideConnection(async (connection) => {
		// Kysely's own provider would wait for each result before it sends the next query.
		const provider = { provideConnection: <T>(consume: (to: typeof connection) => Promise<T>) => consume(connection) };
		const unused = {} as never;
		const props = {
			executor: executor.withConnectionProvider(provider),
			config: unused,
			driver: unused,
			dialect: unused,
		};
		return awaitAll(start(db.isTransaction ? new Transaction<Schema>(props) : new Kysely<Schema>(props)));
	});
}

/** Runs a callback after the commit of the current transaction; without a transaction, at once. */
export function afterCommit(callback: () => void): void {
	const callbacks = pendingCallbacks.getStore();
	if (callbacks === undefined) callback();
	else callbacks.push(callback);
}

/**
 * Locks the selected rows until the transaction ends. Does nothing on SQLite, where a transaction locks the whole
 * database. `wait` waits for rows that another transaction has locked; `skip` leaves these rows out. `share` only
 * prevents others from deleting the rows or changing their keys.
 */
export function lockRows<DB, TB extends keyof DB, O>(
	db: Db,
	query: SelectQueryBuilder<DB, TB, O>,
	mode: 'wait' | 'skip' | 'share' = 'wait',
): SelectQueryBuilder<DB, TB, O> {
	if (!isPostgres(db)) return query;
	if (mode === 'share') return query.forKeyShare();
	return mode === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate();
}

/** Locks a name until the transaction ends, for data that may have no row yet. Does nothing on SQLite. */
export async function acquireNamedLock(tx: Db, name: string): Promise<void> {
	if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtext(${`folio-${name}`}))`.execute(tx);
}
