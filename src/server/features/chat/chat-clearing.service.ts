import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { enqueueJob, listJobPayloads, type RunningJob } from '../../platform/jobs/jobs.ts';
import { deleteUnusedBlobs } from '../files/files.service.ts';
import * as queries from './chat-clearing.queries.ts';

export const clearingJob = 'chat-clearing';

/** Rows at once: others wait no longer than this many take. */
const batchSize = 500;

/** So long a page may send a message again whose answer was lost: its name stays known, though its words are gone. */
const namesKeptSeconds = 24 * 3600;

/** What is on its way out of a conversation; kept with the job, so that a restart goes on where it was. */
interface ClearingWork {
	userId: string;
	/** Messages up to this sequence; null: the whole conversation of somebody who is gone. */
	through: number | null;
	/** Stored bytes whose rows are gone already. */
	keys: string[];
}

/** Sends messages on their way out, inside the caller's transaction. */
export function beginClearing(deps: Deps, tx: Db, userId: string, through: number | null): Promise<void> {
	return enqueueJob(deps, tx, clearingJob, { userId, through, keys: [] } satisfies ClearingWork);
}

/** Whose conversations are about to be removed: they are gone themselves. */
export async function listForgottenChats(db: Db): Promise<string[]> {
	const works = (await listJobPayloads(db, clearingJob)) as ClearingWork[];
	return works.filter(({ through }) => through === null).map(({ userId }) => userId);
}

/** Stored bytes that are about to be removed: their rows are gone. */
export async function listChatKeysOnTheWayOut(db: Db): Promise<string[]> {
	return ((await listJobPayloads(db, clearingJob)) as ClearingWork[]).flatMap(({ keys }) => keys);
}

/** Removes what is left of messages that were erased, once nobody sends them again. */
export async function forgetErased(deps: Deps): Promise<void> {
	const namesKeptSince = isoAt(deps.clock, -namesKeptSeconds);
	while ((await queries.deleteErased(deps.db, namesKeptSince, batchSize)) === batchSize);
}

/**
 * One step of clearing a conversation. What a step has removed from the database stands in the saved work until its
 * bytes are gone too, so a kill at any point loses neither.
 */
export async function continueClearing(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as ClearingWork;
	await deps.storage.removeMany(work.keys);
	const isLeft = await inTransaction(deps.db, async (tx) => {
		const { userId, through } = work;
		const namesKeptSince = isoAt(deps.clock, -namesKeptSeconds);
		const blobIds =
			through === null
				? await queries.deleteMessages(tx, userId, batchSize)
				: await queries.eraseMessages(tx, userId, { through, namesKeptSince, limit: batchSize });
		if (blobIds === null) {
			if (through === null) await queries.deleteConversation(tx, userId);
			return false;
		}
		const keys = blobIds.length === 0 ? [] : await deleteUnusedBlobs(tx, blobIds);
		await job.savePayload(tx, { ...work, keys } satisfies ClearingWork);
		return true;
	});
	if (isLeft) job.again();
}
