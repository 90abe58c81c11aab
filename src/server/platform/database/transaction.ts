import { AsyncLocalStorage } from 'node:async_hooks';
import { type SelectQueryBuilder, sql } from 'kysely';
import { isPostgres } from './connection.ts';
import type { Db } from './schema.ts';

/** Callbacks to run after the current transaction commits. */
const pendingCallbacks = new AsyncLocalStorage<Array<() => void>>();

/**
 * Runs `work` in one transaction: all of it or nothing. Inside, use only `tx`, and await nothing slow (network,
 * hashing): on SQLite every other query waits until the transaction ends.
 * @throws Error when called inside another transaction: it would wait for itself.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
	if (pendingCallbacks.getStore())
		throw new Error('inTransaction inside a transaction: hand the transaction on instead.');
	const waiting: Array<() => void> = [];
	const result = await db.transaction().execute((tx) => pendingCallbacks.run(waiting, () => work(tx)));
	for (const then of waiting) then();
	return result;
}

/** Runs `then` after the current transaction commits, never after a rollback; outside a transaction, at once. */
export function afterCommit(then: () => void): void {
	const waiting = pendingCallbacks.getStore();
	if (waiting === undefined) then();
	else waiting.push(then);
}

/** Locks the selected rows until the transaction ends; on SQLite it holds the only write lock already. */
export function lockRows<DB, TB extends keyof DB, O>(
	db: Db,
	query: SelectQueryBuilder<DB, TB, O>,
	mode: 'wait' | 'skip' | 'share' = 'wait',
): SelectQueryBuilder<DB, TB, O> {
	if (!isPostgres(db)) return query;
	// Shared with other transactions that only prevent the row from being deleted.
	if (mode === 'share') return query.forKeyShare();
	return mode === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate();
}

/** Locks a name until the transaction ends, on all servers, for something that may have no row yet. */
export async function acquireNamedLock(tx: Db, name: string): Promise<void> {
	if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtext(${`folio-${name}`}))`.execute(tx);
}
