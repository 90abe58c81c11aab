import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, type SelectQueryBuilder, sql, Transaction } from 'kysely';
import { awaitAll } from './await-all.ts';
import { isPostgres } from './connection.ts';
import { isTransactionConflict } from './errors.ts';
import type { Db, Schema } from './schema.ts';

const pendingCallbacks = new AsyncLocalStorage<Array<() => void>>();

const attemptsMax = 5;
/** Multiplied by a random number and the number of attempts, so that the same transactions do not meet again. */
const retryDelayMs = 30;

/**
 * Runs `work` in one transaction. Inside, use only `tx`, and await nothing slow (network, hashing): on SQLite all other
 * queries wait until the transaction ends. If PostgreSQL rolls the transaction back because of a deadlock, `work` runs
 * again. So it may change nothing but the database and its own variables: publish events and remove files after it, or
 * with {@link afterCommit}. Lock rows in the order of `docs/architecture.md`.
 * @throws Error when called inside another transaction, because on SQLite it would wait for itself
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
	if (pendingCallbacks.getStore())
		throw new Error(
			'inTransaction was called inside a transaction: pass the transaction to the inner function instead.',
		);
	for (let attempt = 1; ; attempt += 1) {
		const callbacks: Array<() => void> = [];
		const outcome = await db
			.transaction()
			.execute((tx) => pendingCallbacks.run(callbacks, () => work(tx)))
			.then(
				(result) => ({ result }),
				(error: unknown) => ({ error }),
			);
		if ('result' in outcome) {
			for (const callback of callbacks) callback();
			return outcome.result;
		}
		if (attempt === attemptsMax || !isTransactionConflict(outcome.error)) throw outcome.error;
		await sleep(Math.random() * attempt * retryDelayMs);
	}
}

/**
 * Runs queries that do not need each other's results, on one connection. PostgreSQL gets all of them in one round trip:
 * `start` starts them, and they run in the order in which they are started. If one of these queries starts another, that
 * one runs after all of them. Measured with small uploads, 8 at a time: 1.5 ms of processor time for each instead of
 * 2.2, PostgreSQL 0.7 instead of 1.2.
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
