import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, prioritizeJob } from '../../platform/jobs/jobs.ts';

export const watermarkJob = 'marked-copies';
export const watermarkAllJob = 'marked-copies-of-all';

/** In the caller's transaction: this person's copies are to be made, or made anew where they are not what they should be. Wake the workers after it. */
export async function enqueueCopies(deps: Deps, tx: Db, userId: string): Promise<void> {
	await enqueueJob(deps, tx, watermarkJob, { userId }, { id: watermarkJobId(userId), lane: 'copies' });
}

/** The same for somebody who waits for them: before all who do not. */
export async function prioritizeCopies(deps: Deps, userId: string): Promise<void> {
	await enqueueCopies(deps, deps.db, userId);
	await prioritizeJob(deps, watermarkJobId(userId));
	deps.wakeWorkers();
}

/** In the caller's transaction: an edition has changed, and everybody who may read the book needs a copy of it. */
export async function enqueueCopiesOfAll(deps: Deps, tx: Db): Promise<void> {
	await enqueueJob(deps, tx, watermarkAllJob, { after: '' }, { id: newId(), lane: 'copies' });
}

function watermarkJobId(userId: string): string {
	return `${watermarkJob}-${userId}`;
}

export const outlineJob = 'outlines';

/** In the caller's transaction: the editions' outlines that are not known yet are to be read. Wake the workers after it. */
export async function enqueueOutlines(deps: Deps, tx: Db): Promise<void> {
	await enqueueJob(deps, tx, outlineJob, {}, { id: outlineJob, lane: 'pictures' });
}

/** The same for somebody who waits for them: before what else is to be done there. */
export async function prioritizeOutlines(deps: Deps): Promise<void> {
	await enqueueOutlines(deps, deps.db);
	await prioritizeJob(deps, outlineJob);
	deps.wakeWorkers();
}
