import { isoAt } from '../../../platform/clock.ts';
import { classifyDbError } from '../../../platform/database/errors.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { deleteUnusedBlobs, insertBlobs, lockBlobs, type NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { tryRemoveMany } from '../../../platform/storage/storage.ts';
import * as queries from './thumbnails.queries.ts';

export interface Thumbnail {
	blobId: string;
	/** Null if none can be made. */
	picture: Buffer | null;
}

/** Stores thumbnails, and deletes older thumbnails of the same blobs. @throws Error when one could not be stored */
export async function storeThumbnails(deps: Deps, thumbnails: readonly Thumbnail[]): Promise<void> {
	const objects = thumbnails.flatMap(({ blobId, picture }) => {
		const id = newId();
		return picture === null ? [] : { blobId, id, key: `thumbnails/${id}.webp`, bytes: picture };
	});
	const results = await deps.storage.putMany(objects);
	const stored: RecordedThumbnail[] = objects.flatMap(({ blobId, id, key }, index) => {
		const result = results[index];
		if (result?.status !== 'fulfilled') return [];
		return { blobId, blob: { id, storageKey: key, contentType: 'image/webp', ...result.value } };
	});
	const without = thumbnails.flatMap(({ blobId, picture }) => (picture === null ? { blobId, blob: null } : []));
	try {
		const unusedKeys = await inTransaction(deps.db, (tx) => recordThumbnails(deps, tx, [...stored, ...without]));
		await tryRemoveMany(deps, unusedKeys);
	} catch (error) {
		// After a lost connection it is not known whether the rows were committed.
		if (classifyDbError(error) !== 'gone') await tryRemoveMany(deps, keysOf(stored));
		throw error;
	}
	const failed = results.find((result) => result.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}

interface RecordedThumbnail {
	blobId: string;
	blob: NewBlob | null;
}

const keysOf = (thumbnails: readonly RecordedThumbnail[]) => thumbnails.flatMap(({ blob }) => blob?.storageKey ?? []);

/** @returns the storage keys to which no row refers */
async function recordThumbnails(deps: Deps, tx: Db, thumbnails: readonly RecordedThumbnail[]): Promise<string[]> {
	const blobIds = thumbnails.map(({ blobId }) => blobId);
	const existing = await lockBlobs(tx, blobIds);
	// A file and its old thumbnail may have been deleted meanwhile.
	const rows = thumbnails.filter(({ blobId }) => existing.has(blobId));
	const unusedKeys = keysOf(thumbnails.filter(({ blobId }) => !existing.has(blobId)));
	if (rows.length === 0) return unusedKeys;
	const now = isoAt(deps.clock);
	const blobs = rows.flatMap(({ blob }) => blob ?? []);
	if (blobs.length > 0) await insertBlobs(tx, blobs, now);
	const replaced = await queries.upsertThumbnails(
		tx,
		rows.map(({ blobId, blob }) => ({ blob_id: blobId, thumb_blob_id: blob?.id ?? null, made_at: now })),
	);
	return replaced.length === 0 ? unusedKeys : [...unusedKeys, ...(await deleteUnusedBlobs(tx, replaced))];
}
