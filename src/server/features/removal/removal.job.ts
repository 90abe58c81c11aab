import { inTransaction } from '../../db/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import type { RunningJob } from '../../platform/jobs/jobs.ts';
import { purgeSpace } from '../files/files.service.ts';
import { removeKeptMail } from '../mail/mail.service.ts';
import { dropUpload, listUploadsInto, removeUploadBytes } from '../uploads/uploads.service.ts';
import type { RemovalWork } from './removal.service.ts';

/** Uploads in one step. */
const batchSize = 200;

/**
 * One step of removing what a deleted person held; comes again until nothing is left. Whatever a step has removed from
 * the database stands in the saved work until its bytes are gone too, so a kill at any point loses neither.
 */
export async function continueRemoval(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as RemovalWork;
	await removeBytes(deps, work);
	const isLeft = (await removeUploads(deps, work)) || (await removeNodes(deps, work, job));
	// Shares go with their rows, the conversation by a job of its own.
	if (isLeft) job.again();
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'removals' } });
}

/** Bytes whose rows went in a step before. */
async function removeBytes(deps: Deps, work: RemovalWork): Promise<void> {
	await deps.storage.removeMany(work.keys);
	for (const upload of work.uploads) await removeUploadBytes(deps, upload);
	for (const messageId of work.keptMails) await removeKeptMail(deps, messageId);
}

/** Uploads of others into the space. @returns whether there may be more */
async function removeUploads(deps: Deps, work: RemovalWork): Promise<boolean> {
	const uploads = await listUploadsInto(deps.db, work.userId, batchSize);
	for (const upload of uploads) await dropUpload(deps, upload);
	return uploads.length > 0;
}

/** @returns whether there may be more */
async function removeNodes(deps: Deps, work: RemovalWork, job: RunningJob): Promise<boolean> {
	return inTransaction(deps.db, async (tx) => {
		const { isOver, files, keys } = await purgeSpace(tx, work.userId);
		if (isOver) return false;
		const removedFiles = work.removedFiles + files;
		const next: RemovalWork = { ...work, removedFiles, uploads: [], keptMails: [], keys };
		await job.savePayload(tx, next);
		deps.log.info({ userId: work.userId, removed: removedFiles, total: work.totalFiles }, 'files removed');
		return true;
	});
}
