import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, prioritizeJob } from '../../platform/jobs/jobs.ts';

export const watermarkJob = 'marked-copies';
export const watermarkAllJob = 'marked-copies-of-all';

/** Enqueues a user's missing and outdated copies in the transaction; call `deps.wakeWorkers()` after the commit. */
export async function enqueueCopies(deps: Deps, tx: Db, userId: string): Promise<void> {
	await enqueueJob(deps, tx, watermarkJob, { userId }, { id: watermarkJobId(userId), lane: 'copies' });
}

/** Enqueues a user's watermark job and moves it to the front of its lane, because the user is waiting. */
export async function prioritizeCopies(deps: Deps, userId: string): Promise<void> {
	await enqueueCopies(deps, deps.db, userId);
	await prioritizeJob(deps, watermarkJobId(userId));
	deps.wakeWorkers();
}

/** Enqueues copies for all readers of the book in the caller's transaction, after an edition has changed. */
export async function enqueueCopiesOfAll(deps: Deps, tx: Db): Promise<void> {
	await enqueueJob(deps, tx, watermarkAllJob, { after: '' }, { id: newId(), lane: 'copies' });
}

function watermarkJobId(userId: string): string {
	return `${watermarkJob}-${userId}`;
}

export const outlineJob = 'outlines';

/** Enqueues the job that reads missing outlines, in the transaction; call `deps.wakeWorkers()` after the commit. */
export async function enqueueOutlines(deps: Deps, tx: Db): Promise<void> {
	await enqueueJob(deps, tx, outlineJob, {}, { id: outlineJob, lane: 'pictures' });
}

/** Enqueues the outline job and moves it to the front of its lane, because a user is waiting. */
export async function prioritizeOutlines(deps: Deps): Promise<void> {
	await enqueueOutlines(deps, deps.db);
	await prioritizeJob(deps, outlineJob);
	deps.wakeWorkers();
}
