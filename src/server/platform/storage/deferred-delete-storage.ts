import { type Clock, isoAt } from '../clock.ts';
import { readInSteps } from '../cursor.ts';
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

/** A storage that deletes nothing while a backup is running. */
export type DeferredDeleteStorage = ReturnType<typeof createDeferredDeleteStorage>;

/**
 * Wraps a storage so that deletes during a backup are only recorded. A backup inserts its lease before its snapshot of
 * the rows, and bytes are deleted only after the deletion of their row was committed. So either the snapshot does not
 * have the row, or the lease exists when the bytes are to be deleted.
 */
export function createDeferredDeleteStorage(storage: Storage, db: Db, clock: Clock) {
	const isBackupRunning = () => hasProcessLease(db, 'backup');

	/** Lists the keys of deferred deletes. */
	const listDeferred = () =>
		readInSteps(
			'',
			batchSize,
			(after) => listDeferredDeletes(db, after, batchSize),
			(key) => key,
		);

	return {
		...storage,
		async remove(keys: readonly string[]) {
			if (keys.length === 0) return;
			if (await isBackupRunning()) await insertDeferredDeletes(db, keys, isoAt(clock));
			else await storage.remove(keys);
		},
		listDeferred,
		/** Deletes the bytes of deferred deletes, unless a backup is running. @returns the number of deleted keys */
		async removeDeferred() {
			let removed = 0;
			for await (const keys of listDeferred()) {
				if (await isBackupRunning()) break;
				const used = await findReferencedKeys(db, keys);
				await storage.remove(keys.filter((key) => !used.has(key)));
				await deleteDeferredDeletes(db, keys);
				removed += keys.length - used.size;
			}
			return removed;
		},
	};
}
