import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob, listJobPayloads, type RunningJob } from '../../../platform/jobs/jobs.ts';
import { deleteUnusedBlobs } from '../../files/index.ts';
import * as queries from './deletion.queries.ts';

export const chatDeletionJob = 'chat-clearing';

/** Rows at once: others wait no longer than this many take. */
const batchSize = 500;

/** So long a page may send a message again whose answer was lost: its name stays known, though its words are gone. */
const clientIdRetentionSeconds = 24 * 3600;

/** What is on its way out of a conversation; kept with the job, so that a restart goes on where it was. */
interface ChatDeletionPayload {
	userId: string;
	/** Messages up to this sequence; null: the whole conversation of somebody who is gone. */
	through: number | null;
	/** Stored bytes whose rows are gone already. */
	keys: string[];
}

/** Sends messages on their way out, inside the caller's transaction. */
export function enqueueChatDeletion(deps: Deps, tx: Db, userId: string, through: number | null): Promise<void> {
	return enqueueJob(deps, tx, chatDeletionJob, { userId, through, keys: [] } satisfies ChatDeletionPayload);
}

/** Whose conversations are about to be removed: they are gone themselves. */
export async function listConversationsBeingDeleted(db: Db): Promise<string[]> {
	const works = (await listJobPayloads(db, chatDeletionJob)) as ChatDeletionPayload[];
	return works.filter(({ through }) => through === null).map(({ userId }) => userId);
}

/** Stored bytes that are about to be removed: their rows are gone. */
export async function listChatKeysBeingDeleted(db: Db): Promise<string[]> {
	return ((await listJobPayloads(db, chatDeletionJob)) as ChatDeletionPayload[]).flatMap(({ keys }) => keys);
}

/** Removes what is left of messages that were erased, once nobody sends them again. */
export async function deleteErasedMessages(deps: Deps): Promise<void> {
	const namesKeptSince = isoAt(deps.clock, -clientIdRetentionSeconds);
	while ((await queries.deleteErased(deps.db, namesKeptSince, batchSize)) === batchSize);
}

/**
 * One step of clearing a conversation. What a step has removed from the database stands in the saved work until its
 * bytes are gone too, so a kill at any point loses neither.
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
