import { type Clock, isoAt } from '../clock.ts';
import type { Db } from '../database/schema.ts';
import { hasProcessLease } from '../locking/leases/leases.queries.ts';
import {
	deleteDeferredDeletes,
	findReferencedKeys,
	insertDeferredDeletes,
	listDeferredDeletes,
} from './storage.queries.ts';
import type { Storage } from './storage.ts';

const batchSize = 400;

/** Storage that deletes nothing while a backup copies it. */
export interface DeferredDeleteStorage extends Storage {
	/** Removes the bytes of deferred deletes, unless a backup is still running. @returns the number of removed keys */
	removeDeferred(): Promise<number>;
	/** Lists the keys to be removed when no backup is running any more. */
	listDeferred(): AsyncIterable<string[]>;
}

/**
 * Wraps a storage so that deletes during a backup are only recorded. A backup writes its lease to the database before
 * it takes its snapshot, and bytes are removed only after the deletion of their row is committed. Either the snapshot
 * has no row for them, or the lease is seen here.
 */
export function createDeferredDeleteStorage(storage: Storage, db: Db, clock: Clock): DeferredDeleteStorage {
	const isHeld = () => hasProcessLease(db, 'backup');

	async function* pages(): AsyncGenerator<string[]> {
		for (let after = ''; ; ) {
			const keys = await listDeferredDeletes(db, after, batchSize);
			const last = keys.at(-1);
			if (last === undefined) return;
			yield keys;
			after = last;
		}
	}

	return {
		...storage,
		async remove(key) {
			if (await isHeld()) await insertDeferredDeletes(db, [key], isoAt(clock));
			else await storage.remove(key);
		},
		async removeMany(keys) {
			if (keys.length === 0) return;
			if (await isHeld()) await insertDeferredDeletes(db, keys, isoAt(clock));
			else await storage.removeMany(keys);
		},
		listDeferred: pages,
		async removeDeferred() {
			let removed = 0;
			for await (const keys of pages()) {
				if (await isHeld()) break;
				const used = await findReferencedKeys(db, keys);
				await storage.removeMany(keys.filter((key) => !used.has(key)));
				await deleteDeferredDeletes(db, keys);
				removed += keys.length - used.size;
			}
			return removed;
		},
	};
}
