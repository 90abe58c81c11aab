import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { deleteMailFile } from '../../mail/index.ts';
import { type AccountDeletionWork, accountData } from './deletion.service.ts';

/**
 * One step of removing the data of a deleted user; repeated until nothing is left. What a step has removed from the
 * database is kept in the saved job state until its bytes are removed too, so a kill at any point loses neither.
 */
export async function continueAccountDeletion(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as AccountDeletionWork;
	await deleteStoredBytes(deps, work);
	const hasMore =
		(await accountData().uploads.discardSomeToSpace(deps, work.userId)) || (await deleteNodes(deps, work, job));
	// Shares are deleted with their rows, the conversation by a job of its own.
	if (hasMore) job.reschedule();
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'removals' } });
}

/** Deletes stored bytes whose rows were deleted in an earlier step. */
async function deleteStoredBytes(deps: Deps, work: AccountDeletionWork): Promise<void> {
	await deps.storage.removeMany(work.keys);
	for (const upload of work.uploads) await accountData().uploads.deleteBytes(deps, upload);
	for (const messageId of work.keptMails) await deleteMailFile(deps, messageId);
}

/** @returns whether there may be more */
async function deleteNodes(deps: Deps, work: AccountDeletionWork, job: RunningJob): Promise<boolean> {
	return inTransaction(deps.db, async (tx) => {
		const { isOver, files, keys } = await accountData().files.purgeSome(tx, work.userId);
		if (isOver) return false;
		const removedFiles = work.removedFiles + files;
		const next: AccountDeletionWork = { ...work, removedFiles, uploads: [], keptMails: [], keys };
		await job.savePayload(tx, next);
		deps.log.info({ userId: work.userId, removed: removedFiles, total: work.totalFiles }, 'files removed');
		return true;
	});
}
