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

/** Rows of erased messages are kept until they are this old, so that a page that resends a message does not add it. */
const clientIdRetentionSeconds = 24 * 3600;

/** Payload of the deletion job. It is stored, so the deletion continues after a restart. */
interface ChatDeletionPayload {
	userId: string;
	/** Sequence of the last message to delete; null for the whole conversation of a deleted user. */
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
 * Deletes some of a conversation's messages. The payload contains the storage keys of deleted rows until the bytes are
 * deleted. So a killed process leaves no orphaned bytes.
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
