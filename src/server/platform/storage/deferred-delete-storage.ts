import { type Clock, isoAt } from '../clock.ts';
import type { Db } from '../database/schema.ts';
import { hasProcessLease } from '../locking/process-leases/process-leases.queries.ts';
import {
	deleteDeferredDeletes,
	findReferencedKeys,
	insertDeferredDeletes,
	listDeferredDeletes,
} from './storage.queries.ts';
import type { Storage } from './storage.ts';

const batchSize = 400;

/** Storage from which nothing vanishes while a backup copies it. */
export interface DeferredDeleteStorage extends Storage {
	/** Removes what was put off, unless a backup is still under way. @returns how many keys went */
	removeDeferred(): Promise<number>;
	/** Keys that are to be removed when no backup is under way any more. */
	listDeferred(): AsyncIterable<string[]>;
}

/**
 * While a backup is under way, bytes that are to be removed stay, and their keys are noted. A backup's hold stands in the
 * database before it takes its snapshot, and whoever removes bytes has committed the removal of their row before: so
 * either the snapshot has no row of them, or the hold is seen here.
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
