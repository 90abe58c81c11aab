import type { EditionKey } from '#contract/book/book-settings.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { tryRemoveMany } from '../../../platform/storage/try-remove.ts';
import { deleteUnusedBlobs } from '../../files/index.ts';
import { findOriginals } from './copy-plan.ts';
import * as queries from './watermark.queries.ts';

const copiesPerBatch = 100;

/** In the caller's transaction: a person's copies go with them. @returns the storage keys whose rows are gone */
export async function deleteCopiesOfUser(tx: Db, userId: string): Promise<string[]> {
	const blobIds = await queries.deleteCopiesOfUser(tx, userId);
	return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
}

/** Hourly: removes the copies of those who may not read any more, and of files that are no editions any more. */
export async function deleteStaleCopies(deps: Deps): Promise<void> {
	const originals = await findOriginals(deps.db);
	const sources = Object.fromEntries([...originals].map(([key, { id }]) => [key, id])) as Partial<
		Record<EditionKey, string>
	>;
	for (;;) {
		const keys = await inTransaction(deps.db, async (tx) => {
			const stale = await queries.listStaleCopies(tx, sources, copiesPerBatch);
			if (stale.length === 0) return null;
			await queries.deleteCopies(tx, stale);
			const blobIds = stale.flatMap((row) => row.blob_id ?? []);
			return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
		});
		if (keys === null) return;
		await tryRemoveMany(deps, keys);
	}
}

/** Copies that say to be there and are not, for the check of everything. */
export async function listIncompleteCopies(db: Db): Promise<string[]> {
	return (await queries.listIncompleteCopies(db)).map((row) => `${row.user_id} ${row.edition}`);
}
