import { isoAt } from '../clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { leaseSeconds, startRowLease } from '../locking/row-lease.ts';
import { logRetriedFailure } from '../log.ts';
import {
	deleteJob,
	hasDueJob,
	prioritizeJob as hurryRow,
	insertJob,
	leaseNextJob,
	listPayloads,
	postponeJob,
	releaseJobs,
	renewJob,
	requeueJob,
	updatePayload,
} from './jobs.queries.ts';

const maxPauseSeconds = 300;

/** The running job, for work that is done in steps. */
export interface RunningJob {
	/**
	 * Saves the progress of the work, in the transaction of the step itself. @throws LeaseLostError when another process
	 * has taken the job meanwhile; the step is rolled back
	 */
	savePayload(tx: Db, payload: unknown): Promise<void>;
	/** Runs the job again after this step, behind other due jobs, and after a pause if one is given. */
	reschedule(pauseSeconds?: number): void;
}

/** Thrown when another process has taken the job's lease. */
class LeaseLostError extends Error {
	override name = 'LeaseLostError';
	constructor() {
		super('Another process has taken this job.');
	}
}

/** Does one kind of job. It runs at least once, so running it twice must be harmless. */
export type JobHandler = (deps: Deps, payload: unknown, job: RunningJob) => Promise<void>;

/** Jobs of one lane wait for each other. Slow jobs have lanes of their own, so that mails do not wait for them. */
type JobLane = 'main' | 'pictures' | 'copies' | 'upkeep';

/**
 * Adds a job in the caller's transaction; call `deps.wakeWorkers()` after the commit. A job whose `id` is already
 * pending is not added twice.
 */
export async function enqueueJob(
	deps: Deps,
	tx: Db,
	kind: string,
	payload: unknown,
	{ id = newId(), lane = 'main' }: { id?: string; lane?: JobLane } = {},
): Promise<void> {
	await insertJob(tx, { id, kind, lane, payload: JSON.stringify(payload), runAt: isoAt(deps.clock) });
}

/** Runs a due job before the others of its lane, because a user waits for it. */
export function prioritizeJob(deps: Deps, id: string): Promise<void> {
	return hurryRow(deps.db, id, isoAt(deps.clock));
}

/** Whether a lane has a due job that is not running. */
export function hasDueJobs(deps: Deps, lane: JobLane): Promise<boolean> {
	return hasDueJob(deps.db, lane, isoAt(deps.clock));
}

/** Returns the payloads of the unfinished jobs of one kind. */
export async function listJobPayloads(db: Db, kind: string): Promise<unknown[]> {
	return (await listPayloads(db, kind)).map((payload) => JSON.parse(payload) as unknown);
}

/** Releases jobs that a killed process had leased. On SQLite only, before the workers of the only process start. */
export async function releaseJobsAfterStart(deps: Deps): Promise<void> {
	if (deps.connection.kind === 'sqlite') await releaseJobs(deps.db);
}

/** Runs one due job of a lane under a lease. @returns false when there was none */
export async function runNextJob(
	deps: Deps,
	handlers: Record<string, JobHandler>,
	lane: JobLane = 'main',
	{ renewEveryMs }: { renewEveryMs?: number } = {},
): Promise<boolean> {
	const job = await inTransaction(deps.db, (tx) => leaseNextJob(tx, lane, isoAt(deps.clock), leaseSeconds));
	if (job === undefined) return false;
	const renew = (moments: string[], until: string) => renewJob(deps.db, { id: job.id, expiries: moments }, until);
	const lease = startRowLease(deps, job.leasedUntil, renew, renewEveryMs);
	const held = () => ({ id: job.id, expiries: lease.expiries() });
	let isOurs = true;
	try {
		const handler = handlers[job.kind];
		if (handler === undefined) throw new Error(`No handler for jobs of kind ${job.kind}.`);
		let pauseSeconds: number | null = null;
		await handler(deps, JSON.parse(job.payload), {
			savePayload: async (tx, payload) => {
				if (!(await updatePayload(tx, held(), JSON.stringify(payload)))) throw new LeaseLostError();
			},
			reschedule: (seconds = 0) => {
				pauseSeconds = seconds;
			},
		});
		await lease.stop();
		if (pauseSeconds === null) isOurs = await deleteJob(deps.db, held());
		else isOurs = await requeueJob(deps.db, held(), isoAt(deps.clock, pauseSeconds));
	} catch (error) {
		await lease.stop();
		logRetriedFailure(deps.log, error, { job: job.kind }, 'job failed');
		const pause = Math.min(2 ** job.attempts, maxPauseSeconds);
		isOurs = await postponeJob(deps.db, held(), isoAt(deps.clock, pause), String(error));
	}
	if (!isOurs) deps.log.warn({ job: job.kind }, 'another process has taken this job meanwhile');
	return true;
}
