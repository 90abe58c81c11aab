import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { deleteUnusedBlobs } from '../../../platform/storage/blobs.queries.ts';
import { tryRemoveMany } from '../../../platform/storage/storage.ts';
import { findOriginals } from './copy-plan.ts';
import * as queries from './watermark.queries.ts';

const copiesPerBatch = 100;

/** Deletes a user's copies in the caller's transaction. @returns the storage keys whose rows are deleted */
export async function deleteCopiesOfUser(tx: Db, userId: string): Promise<string[]> {
	const blobIds = await queries.deleteCopiesOfUser(tx, userId);
	return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
}

/** Runs hourly: deletes copies of users without access, and copies and templates of files that are not editions. */
export async function deleteStaleCopies(deps: Deps): Promise<void> {
	const originals = await findOriginals(deps.db);
	for (;;) {
		const keys = await inTransaction(deps.db, async (tx) => {
			const stale = await queries.listStaleCopies(tx, originals, copiesPerBatch);
			if (stale.length === 0) return null;
			await queries.deleteCopies(tx, stale);
			const blobIds = stale.flatMap((row) => row.blob_id ?? []);
			return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
		});
		if (keys === null) break;
		await tryRemoveMany(deps, keys);
	}
	const keys = await inTransaction(deps.db, async (tx) => {
		// Read again, because an edition may have got another file meanwhile.
		const sourceIds = [...(await findOriginals(tx)).values()].map(({ id }) => id);
		const blobIds = await queries.deleteTemplatesExcept(tx, sourceIds);
		return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
	});
	await tryRemoveMany(deps, keys);
}
