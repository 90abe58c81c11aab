import type { Db } from '../../db/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, hurryJob } from '../../platform/jobs/jobs.ts';

export const copiesJob = 'marked-copies';
export const copiesOfAllJob = 'marked-copies-of-all';

/** In the caller's transaction: this person's copies are to be made, or made anew where they are not what they should be. Wake the workers after it. */
export async function wishCopies(deps: Deps, tx: Db, userId: string): Promise<void> {
	await enqueueJob(deps, tx, copiesJob, { userId }, { id: jobIdOf(userId), lane: 'copies' });
}

/** The same for somebody who waits for them: before all who do not. */
export async function hurryCopies(deps: Deps, userId: string): Promise<void> {
	await wishCopies(deps, deps.db, userId);
	await hurryJob(deps, jobIdOf(userId));
	deps.wakeWorkers();
}

/** In the caller's transaction: an edition has changed, and everybody who may read the book needs a copy of it. */
export async function wishCopiesOfAll(deps: Deps, tx: Db): Promise<void> {
	await enqueueJob(deps, tx, copiesOfAllJob, { after: '' }, { id: newId(), lane: 'copies' });
}

function jobIdOf(userId: string): string {
	return `${copiesJob}-${userId}`;
}
