import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { isoAt } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { deleteJob, insertJob, leaseNextJob, postponeJob, releaseJobs } from './jobs.queries.ts';

const leaseSeconds = 120;
const longestPauseSeconds = 300;

/** Does one kind of job; runs at least once, so doing it twice must not hurt. */
export type JobHandler = (deps: Deps, payload: unknown) => Promise<void>;

/** Puts work into the caller's transaction; call `deps.wakeWorkers()` after the commit. */
export async function enqueueJob(deps: Deps, tx: Db, kind: string, payload: unknown): Promise<void> {
	await insertJob(tx, { id: newId(), kind, payload: JSON.stringify(payload), runAt: isoAt(deps.clock) });
}

/** Before this machine's only process starts its runner: what a killed one held is due at once. */
export async function releaseJobsAfterStart(deps: Deps): Promise<void> {
	if (deps.connection.kind === 'sqlite') await releaseJobs(deps.db);
}

/** Runs one due job. @returns false when there was none. */
export async function runNextJob(deps: Deps, handlers: Record<string, JobHandler>): Promise<boolean> {
	const job = await inTransaction(deps.db, (tx) =>
		leaseNextJob(tx, isoAt(deps.clock), isoAt(deps.clock, leaseSeconds)),
	);
	if (job === undefined) return false;
	try {
		const handler = handlers[job.kind];
		if (handler === undefined) throw new Error(`No handler for jobs of kind ${job.kind}.`);
		await handler(deps, JSON.parse(job.payload));
		await deleteJob(deps.db, job.id);
	} catch (error) {
		deps.log.error({ err: error, job: job.kind }, 'job failed');
		const pause = Math.min(2 ** job.attempts, longestPauseSeconds);
		await postponeJob(deps.db, job.id, isoAt(deps.clock, pause), String(error));
	}
	return true;
}
