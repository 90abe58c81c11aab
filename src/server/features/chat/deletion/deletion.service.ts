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

/** How long a page may resend a message whose response was lost: its client id is kept, even if the text is deleted. */
const clientIdRetentionSeconds = 24 * 3600;

/** What is being deleted from a conversation; saved with the job, so that a restarted process continues from there. */
interface ChatDeletionPayload {
	userId: string;
	/** Delete messages up to this sequence; null: the whole conversation of a deleted user. */
	through: number | null;
	/** Storage keys of bytes whose rows are already deleted. */
	keys: string[];
}

/** Enqueues the deletion of messages inside the caller's transaction. */
export function enqueueChatDeletion(deps: Deps, tx: Db, userId: string, through: number | null): Promise<void> {
	return enqueueJob(deps, tx, chatDeletionJob, { userId, through, keys: [] } satisfies ChatDeletionPayload);
}

/** Lists the deleted users whose conversations are still to be removed. */
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
	const namesKeptSince = isoAt(deps.clock, -clientIdRetentionSeconds);
	while ((await queries.deleteErased(deps.db, namesKeptSince, batchSize)) === batchSize);
}

/**
 * One step of clearing a conversation. What a step has removed from the database is kept in the saved job state until
 * its bytes are removed too, so a kill at any point loses neither.
 */
export async function continueChatDeletion(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as ChatDeletionPayload;
	await deps.storage.removeMany(work.keys);
	const isLeft = await inTransaction(deps.db, async (tx) => {
		const { userId, through } = work;
		const namesKeptSince = isoAt(deps.clock, -clientIdRetentionSeconds);
		const blobIds =
			through === null
				? await queries.deleteMessages(tx, userId, batchSize)
				: await queries.eraseMessages(tx, userId, { through, namesKeptSince, limit: batchSize });
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
