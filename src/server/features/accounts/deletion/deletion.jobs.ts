import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { deleteMailFile } from '../../mail/index.ts';
import { type AccountDeletionWork, accountData } from './deletion.service.ts';

/**
 * Deletes some data of a deleted user; the job runs again until no data is left. The payload contains the storage keys
 * of deleted rows until their bytes are deleted. So a killed process leaves no orphaned bytes.
 */
export async function continueAccountDeletion(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as AccountDeletionWork;
	await deleteStoredBytes(deps, work);
	const hasMore =
		(await accountData().uploads.discardSomeToSpace(deps, work.userId)) || (await deleteNodes(deps, work, job));
	// Shares are deleted with their nodes, and a separate job deletes the conversation.
	if (hasMore) job.reschedule();
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'removals' } });
}

/** Deletes stored bytes whose rows were deleted in an earlier step. */
async function deleteStoredBytes(deps: Deps, work: AccountDeletionWork): Promise<void> {
	await deps.storage.remove(work.keys);
	for (const upload of work.uploads) await accountData().uploads.deleteBytes(deps, upload);
	for (const messageId of work.keptMails) await deleteMailFile(deps, messageId);
}

/** @returns whether nodes may remain */
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
