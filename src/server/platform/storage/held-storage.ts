import type { Db } from '../../db/schema.ts';
import { type Clock, isoAt } from '../clock.ts';
import { hasHold } from '../holds/holds.queries.ts';
import { deletePutOff, findUsedKeys, insertPutOff, listPutOff } from './put-off.queries.ts';
import type { Storage } from './storage.ts';

const batchSize = 400;

/** Storage from which nothing vanishes while a backup copies it. */
export interface HeldStorage extends Storage {
	/** Removes what was put off, unless a backup is still under way. @returns how many keys went */
	removePutOff(): Promise<number>;
	/** Keys that are to be removed when no backup is under way any more. */
	listPutOff(): AsyncIterable<string[]>;
}

/**
 * While a backup is under way, bytes that are to be removed stay, and their keys are noted. A backup's hold stands in the
 * database before it takes its snapshot, and whoever removes bytes has committed the removal of their row before: so
 * either the snapshot has no row of them, or the hold is seen here.
 */
export function holdingStorage(storage: Storage, db: Db, clock: Clock): HeldStorage {
	const isHeld = () => hasHold(db, 'backup');

	async function* pages(): AsyncGenerator<string[]> {
		for (let after = ''; ; ) {
			const keys = await listPutOff(db, after, batchSize);
			const last = keys.at(-1);
			if (last === undefined) return;
			yield keys;
			after = last;
		}
	}

	return {
		...storage,
		async remove(key) {
			if (await isHeld()) await insertPutOff(db, [key], isoAt(clock));
			else await storage.remove(key);
		},
		async removeMany(keys) {
			if (keys.length === 0) return;
			if (await isHeld()) await insertPutOff(db, keys, isoAt(clock));
			else await storage.removeMany(keys);
		},
		listPutOff: pages,
		async removePutOff() {
			let removed = 0;
			for await (const keys of pages()) {
				if (await isHeld()) break;
				const used = await findUsedKeys(db, keys);
				await storage.removeMany(keys.filter((key) => !used.has(key)));
				await deletePutOff(db, keys);
				removed += keys.length - used.size;
			}
			return removed;
		},
	};
}
