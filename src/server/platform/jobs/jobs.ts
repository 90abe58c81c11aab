import { isoAt } from '../clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Deps } from '../deps.ts';
import { logRetriedFailure } from '../error-logging.ts';
import { newId } from '../ids.ts';
import { leaseSeconds, startRowLease } from '../locking/row-lease.ts';
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

/** The job under way, for work that is done in steps. */
export interface RunningJob {
	/**
	 * Keeps how far the work has come, in the transaction of the step itself. @throws LeaseLostError when another process
	 * has taken the job meanwhile: the step is undone
	 */
	savePayload(tx: Db, payload: unknown): Promise<void>;
	/** This was only a step: the job comes again, after others that are due, and after a pause if one is given. */
	reschedule(pauseSeconds?: number): void;
}

/** Another process does this job by now. */
export class LeaseLostError extends Error {
	override name = 'LeaseLostError';
	constructor() {
		super('Another process has taken this job.');
	}
}

/** Does one kind of job; runs at least once, so doing it twice must not hurt. */
export type JobHandler = (deps: Deps, payload: unknown, job: RunningJob) => Promise<void>;

/** Jobs of one lane wait for each other; what may take long has its own, so that no mail waits for a picture. */
export type JobLane = 'main' | 'pictures' | 'copies' | 'upkeep';

/**
 * Puts work into the caller's transaction; call `deps.wakeWorkers()` after the commit.
 * With an `id`, a job of that id that is still to be done stands for this one too.
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

/** Somebody waits for a job that is due: it is done before the others of its lane. */
export function prioritizeJob(deps: Deps, id: string): Promise<void> {
	return hurryRow(deps.db, id, isoAt(deps.clock));
}

/** Whether a lane has another job to do than those under way. */
export function hasDueJobs(deps: Deps, lane: JobLane): Promise<boolean> {
	return hasDueJob(deps.db, lane, isoAt(deps.clock));
}

/** What the jobs of one kind that are still to be done are about. */
export async function listJobPayloads(db: Db, kind: string): Promise<unknown[]> {
	return (await listPayloads(db, kind)).map((payload) => JSON.parse(payload) as unknown);
}

/** Before this machine's only process starts its runner: what a killed one held is due at once. */
export async function releaseJobsAfterStart(deps: Deps): Promise<void> {
	if (deps.connection.kind === 'sqlite') await releaseJobs(deps.db);
}

/** Runs one due job of a lane, held for as long as it takes. @returns false when there was none. */
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
