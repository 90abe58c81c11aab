import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from './schema.ts';

const open = new AsyncLocalStorage<true>();

/**
 * Runs `work` in one transaction: all of it or nothing. Inside, only the handed transaction may be used, and nothing
 * slow may be awaited (network, hashing): on SQLite everybody else waits meanwhile.
 * @throws Error when called inside another transaction: it would wait for itself.
 */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
	if (open.getStore()) throw new Error('inTransaction inside a transaction: hand the transaction on instead.');
	return db.transaction().execute((tx) => open.run(true, () => work(tx)));
}
