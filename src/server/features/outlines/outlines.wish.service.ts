import type { Db } from '../../db/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { enqueueJob, hurryJob } from '../../platform/jobs/jobs.ts';

export const outlinesJob = 'outlines';

/** In the caller's transaction: the editions' outlines that are not known yet are to be read. Wake the workers after it. */
export async function wishOutlines(deps: Deps, tx: Db): Promise<void> {
	await enqueueJob(deps, tx, outlinesJob, {}, { id: outlinesJob, lane: 'pictures' });
}

/** The same for somebody who waits for them: before what else is to be done there. */
export async function hurryOutlines(deps: Deps): Promise<void> {
	await wishOutlines(deps, deps.db);
	await hurryJob(deps, outlinesJob);
	deps.wakeWorkers();
}
