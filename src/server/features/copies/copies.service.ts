import type { EditionKey } from '#contract/settings/book-settings.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { removeOrLeaveBehind } from '../../platform/storage/leave-behind.ts';
import { deleteUnusedBlobs } from '../files/files.service.ts';
import { findOriginals } from './copies.plan.service.ts';
import * as queries from './copies.queries.ts';

const tidiedAtOnce = 100;

/** In the caller's transaction: a person's copies go with them. @returns the storage keys whose rows are gone */
export async function forgetCopies(tx: Db, userId: string): Promise<string[]> {
	const blobIds = await queries.deleteCopiesOf(tx, userId);
	return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
}

/** Hourly: removes the copies of those who may not read any more, and of files that are no editions any more. */
export async function tidyCopies(deps: Deps): Promise<void> {
	const originals = await findOriginals(deps.db);
	const sources = Object.fromEntries([...originals].map(([key, { id }]) => [key, id])) as Partial<
		Record<EditionKey, string>
	>;
	for (;;) {
		const keys = await inTransaction(deps.db, async (tx) => {
			const stale = await queries.findStaleCopies(tx, sources, tidiedAtOnce);
			if (stale.length === 0) return null;
			await queries.deleteCopies(tx, stale);
			const blobIds = stale.flatMap((row) => row.blob_id ?? []);
			return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
		});
		if (keys === null) return;
		await removeOrLeaveBehind(deps, keys);
	}
}

/** Copies that say to be there and are not, for the check of everything. */
export async function listHollowCopies(db: Db): Promise<string[]> {
	return (await queries.findHollowCopies(db)).map((row) => `${row.user_id} ${row.edition}`);
}

export { type CopyPlan, findOriginals, isDue, type Original, planCopies, servedCopy } from './copies.plan.service.ts';
export { listCopies } from './copies.queries.ts';
export { hurryCopies } from './copies.wish.service.ts';
