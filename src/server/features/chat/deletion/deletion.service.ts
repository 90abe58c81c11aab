import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob, listJobPayloads, type RunningJob } from '../../../platform/jobs/jobs.ts';
import { deleteUnusedBlobs } from '../../../platform/storage/blobs.queries.ts';
import * as queries from './deletion.queries.ts';

export const chatDeletionJob = 'chat-clearing';

/** Maximum number of rows in one transaction, which limits how long other transactions wait. */
const batchSize = 500;

/** How long client ids of deleted messages are kept, so that a page that resends a message does not add it again. */
const clientIdRetentionSeconds = 24 * 3600;

/** The messages of a conversation to delete; saved with the job, so that a restarted process continues. */
interface ChatDeletionPayload {
	userId: string;
	/** Delete messages up to this sequence; null: the whole conversation of a deleted user. */
	through: number | null;
	/** Storage keys of bytes whose rows are already deleted. */
	keys: string[];
}

export function enqueueChatDeletion(deps: Deps, tx: Db, userId: string, through: number | null): Promise<void> {
	return enqueueJob(deps, tx, chatDeletionJob, { userId, through, keys: [] } satisfies ChatDeletionPayload);
}

export async function listConversationsBeingDeleted(db: Db): Promise<string[]> {
	const works = (await listJobPayloads(db, chatDeletionJob)) as ChatDeletionPayload[];
	return works.filter(({ through }) => through === null).map(({ userId }) => userId);
}

/** Lists the storage keys of bytes that are about to be removed; their rows are already deleted. */
export async function listChatKeysBeingDeleted(db: Db): Promise<string[]> {
	return ((await listJobPayloads(db, chatDeletionJob)) as ChatDeletionPayload[]).flatMap(({ keys }) => keys);
}

/** Removes the rows of erased messages once they can no longer be resent. */
export async function deleteErasedMessages(deps: Deps): Promise<void> {
	const clientIdsKeptSince = isoAt(deps.clock, -clientIdRetentionSeconds);
	while ((await queries.deleteErased(deps.db, clientIdsKeptSince, batchSize)) === batchSize);
}

/**
 * Runs one step of deleting a conversation's messages. The job state keeps the storage keys of deleted rows until their
 * bytes are deleted too: otherwise a killed process would leave the bytes behind.
 */
export async function continueChatDeletion(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as ChatDeletionPayload;
	await deps.storage.remove(work.keys);
	const isLeft = await inTransaction(deps.db, async (tx) => {
		const { userId, through } = work;
		const blobIds =
			through === null
				? await queries.deleteMessages(tx, userId, batchSize)
				: await queries.eraseMessages(tx, userId, through, batchSize);
		if (blobIds === null) {
			if (through === null) await queries.deleteConversation(tx, userId);
			return false;
		}
		const keys = blobIds.length === 0 ? [] : await deleteUnusedBlobs(tx, blobIds);
		await job.savePayload(tx, { ...work, keys } satisfies ChatDeletionPayload);
		return true;
	});
	if (isLeft) job.reschedule();
}
