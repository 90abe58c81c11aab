import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { transactionBudgetMs } from '../../../platform/event-loop.ts';
import { enqueueJob, listJobPayloads, type RunningJob } from '../../../platform/jobs/jobs.ts';
import { deleteUnusedBlobs } from '../../../platform/storage/blobs.queries.ts';
import { addToSpaceTotals, deleteSpace, lockSpace } from '../spaces/spaces.queries.ts';
import * as queries from '../tree/tree.queries.ts';

export const purgeJob = 'trash-purge';

/** Maximum number of rows deleted in one transaction, which limits how long other transactions wait. */
const batchSize = 200;

/** Progress of a purge, stored with the job, so that the purge continues after a restart. */
interface PurgeJobPayload {
	ownerId: string;
	/** Ids of deleted nodes, each to be purged with everything below it. */
	ids: string[];
	/** Storage keys of bytes whose rows are already deleted. */
	keys: string[];
}

/** Enqueues the purge of nodes that are marked for purge, inside the caller's transaction. */
export function enqueuePurge(deps: Deps, tx: Db, ownerId: string, ids: string[]): Promise<void> {
	return enqueueJob(deps, tx, purgeJob, { ownerId, ids, keys: [] } satisfies PurgeJobPayload);
}

/** Lists the storage keys of bytes that running purges are about to remove. No row refers to these bytes. */
export async function listKeysPendingPurge(db: Db): Promise<string[]> {
	return ((await listJobPayloads(db, purgeJob)) as PurgeJobPayload[]).flatMap(({ keys }) => keys);
}

/** The payload keeps storage keys until their bytes are deleted, so that a killed process leaves no orphans. */
export async function runPurgeStep(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as PurgeJobPayload;
	await deps.storage.remove(work.keys);
	if (work.ids.length === 0) return;
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, work.ownerId);
		const ids = [...work.ids];
		const keys: string[] = [];
		const stopAt = performance.now() + transactionBudgetMs(deps);
		do {
			const [id] = ids;
			if (id === undefined) break;
			const purged = await purgeBatch(tx, work.ownerId, id);
			keys.push(...purged.keys);
			if (purged.isOver) ids.shift();
		} while (performance.now() < stopAt && keys.length < batchSize);
		await job.savePayload(tx, { ...work, ids, keys } satisfies PurgeJobPayload);
	});
	job.reschedule();
}

/** Deletes one batch: first files below the node, then folders from the innermost outwards, then the node itself. */
async function purgeBatch(tx: Db, ownerId: string, id: string): Promise<{ isOver: boolean; keys: string[] }> {
	const root = await queries.findNodeIncludingTrashed(tx, id);
	if (root?.deleted_at == null) return { isOver: true, keys: [] };
	if (root.kind === 'file') {
		const keys = await purgeFiles(tx, ownerId, [{ id, blobId: root.blob_id, sizeBytes: root.size_bytes }]);
		return { isOver: true, keys };
	}
	const below = pathBelow(root);
	const files = await queries.findFilesIncludingTrashed(tx, ownerId, batchSize, below);
	if (files.length > 0) return { isOver: false, keys: await purgeFiles(tx, ownerId, files) };
	const folders = await queries.findFoldersBelow(tx, ownerId, below, batchSize);
	if (folders.length > 0) {
		// Innermost first and one at a time, because a folder of this batch may contain another folder of the batch.
		for (const folder of folders) await queries.deleteNodes(tx, [folder.id]);
		return { isOver: false, keys: [] };
	}
	await queries.deleteTotalsBelow(tx, ownerId, below);
	await queries.deleteNodes(tx, [id]);
	return { isOver: true, keys: [] };
}

type PurgedFile = Awaited<ReturnType<typeof queries.findFilesIncludingTrashed>>[number];

async function purgeFiles(tx: Db, ownerId: string, files: PurgedFile[]): Promise<string[]> {
	const keys = await deleteFiles(tx, files);
	await addToSpaceTotals(tx, ownerId, -files.length, -files.reduce((sum, file) => sum + file.sizeBytes, 0));
	return keys;
}

/**
 * Deletes some rows of a deleted user's space: files, then folders from the innermost outwards, finally the totals.
 * @returns whether all rows are deleted, the number of deleted files, and the storage keys of unreferenced bytes
 */
export async function purgeSpace(tx: Db, ownerId: string): Promise<{ isOver: boolean; files: number; keys: string[] }> {
	const files = await queries.findFilesIncludingTrashed(tx, ownerId, batchSize);
	if (files.length > 0) return { isOver: false, files: files.length, keys: await deleteFiles(tx, files) };
	const folders = await queries.findEmptyFolders(tx, ownerId, batchSize);
	if (folders.length === 0) await deleteSpace(tx, ownerId);
	else await queries.deleteNodes(tx, idsOf(folders));
	return { isOver: folders.length === 0, files: 0, keys: [] };
}

/** @returns the storage keys of bytes without references */
async function deleteFiles(tx: Db, files: PurgedFile[]): Promise<string[]> {
	await queries.deleteNodes(tx, idsOf(files));
	const blobIds = files.flatMap(({ blobId }) => blobId ?? []);
	return blobIds.length === 0 ? [] : deleteUnusedBlobs(tx, blobIds);
}

const idsOf = (nodes: Array<{ id: string }>) => nodes.map(({ id }) => id);
