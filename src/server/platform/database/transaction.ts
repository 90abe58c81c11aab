import { AsyncLocalStorage } from 'node:async_hooks';
import { type SelectQueryBuilder, sql } from 'kysely';
import { isPostgres } from './connection.ts';
import type { Db } from './schema.ts';

/** What waits for the commit of the transaction around it. */
const pendingCallbacks = new AsyncLocalStorage<Array<() => void>>();

/**
 * Runs `work` in one transaction: all of it or nothing. Inside, only the handed transaction may be used, and nothing
 * slow may be awaited (network, hashing): on SQLite everybody else waits meanwhile.
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

/** Runs `then` when the transaction around has been committed, never when it was rolled back; without one, at once. */
export function afterCommit(then: () => void): void {
	const waiting = pendingCallbacks.getStore();
	if (waiting === undefined) then();
	else waiting.push(then);
}

/**
 * Locks the selected rows until the transaction ends, where the database needs it: on SQLite the transaction
 * already holds the only right to write.
 */
export function lockRows<DB, TB extends keyof DB, O>(
	db: Db,
	query: SelectQueryBuilder<DB, TB, O>,
	mode: 'wait' | 'skip' | 'share' = 'wait',
): SelectQueryBuilder<DB, TB, O> {
	if (!isPostgres(db)) return query;
	// With others who only want the row to stay.
	if (mode === 'share') return query.forKeyShare();
	return mode === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate();
}

/** The same for something that may have no row yet: whoever locks the same name, on any server, comes one after the other. */
export async function acquireNamedLock(tx: Db, name: string): Promise<void> {
	if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtext(${`folio-${name}`}))`.execute(tx);
}
