import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from './schema.ts';

/** What waits for the commit of the transaction around it. */
const open = new AsyncLocalStorage<Array<() => void>>();

/**
 * Runs `work` in one transaction: all of it or nothing. Inside, only the handed transaction may be used, and nothing
 * slow may be awaited (network, hashing): on SQLite everybody else waits meanwhile.
 * @throws Error when called inside another transaction: it would wait for itself.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
	if (open.getStore()) throw new Error('inTransaction inside a transaction: hand the transaction on instead.');
	const waiting: Array<() => void> = [];
	const result = await db.transaction().execute((tx) => open.run(waiting, () => work(tx)));
	for (const then of waiting) then();
	return result;
}

/** Runs `then` when the transaction around has been committed, never when it was rolled back; without one, at once. */
export function afterCommit(then: () => void): void {
	const waiting = open.getStore();
	if (waiting === undefined) then();
	else waiting.push(then);
}
