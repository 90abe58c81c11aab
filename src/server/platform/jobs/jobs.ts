import { isoAt } from '../clock.ts';
import type { Db } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { rowLeaseSeconds, startRowLease } from '../locking/leases/leases.ts';
import { logRetriedFailure } from '../log.ts';
import * as queries from './jobs.queries.ts';

const maxPauseSeconds = 300;

export interface RunningJob {
	/** Saves progress in the step's transaction. @throws Error when another process has taken the job */
	savePayload(tx: Db, payload: unknown): Promise<void>;
	/** Runs the job again after the pause. Jobs that are due earlier run before it. */
	reschedule(pauseSeconds?: number): void;
}

/** Handles one kind of job. A job may run more than once, such as after a kill, so a second run must be harmless. */
export type JobHandler = (deps: Deps, payload: unknown, job: RunningJob) => Promise<void>;

/**
 * The jobs of a lane run one after the other, except pictures. Slow jobs have separate lanes, so that mails do not wait
 * for them.
 */
type JobLane = 'main' | 'pictures' | 'copies' | 'upkeep';

/** Adds a job unless one with this `id` is pending. Call `deps.wakeWorkers()` after the commit. */
export async function enqueueJob(
	deps: Deps,
	tx: Db,
	kind: string,
	payload: unknown,
	{ id = newId(), lane = 'main' }: { id?: string; lane?: JobLane } = {},
): Promise<void> {
	await queries.insertJobIfNew(tx, { id, kind, lane, payload: JSON.stringify(payload), run_at: isoAt(deps.clock) });
}

/** Moves a due job to the front of its lane, for a waiting user. */
export function prioritizeJob(deps: Deps, id: string): Promise<void> {
	return queries.prioritizeJob(deps.db, id, isoAt(deps.clock));
}

export function hasDueJobs(deps: Deps, lane: JobLane): Promise<boolean> {
	return queries.hasDueJob(deps.db, lane, isoAt(deps.clock));
}

export async function listJobPayloads(db: Db, kind: string): Promise<unknown[]> {
	return (await queries.listPayloads(db, kind)).map((payload) => JSON.parse(payload) as unknown);
}

/** Releases jobs of a killed process. Only on SQLite, where no other process runs jobs. Call before workers start. */
export async function releaseJobsAfterStart(deps: Deps): Promise<void> {
	if (deps.connection.kind === 'sqlite') await queries.releaseJobs(deps.db);
}

/** Runs one due job of a lane under a lease. @returns false when there was none */
export async function runNextJob(
	deps: Deps,
	handlers: Record<string, JobHandler>,
	lane: JobLane = 'main',
	{ renewEveryMs }: { renewEveryMs?: number } = {},
): Promise<boolean> {
	const job = await inTransaction(deps.db, (tx) => queries.leaseNextJob(tx, lane, isoAt(deps.clock), rowLeaseSeconds));
	if (job === undefined) return false;
	const renew = (expiries: string[], until: string) =>
		queries.updateLeasedJob(deps.db, { id: job.id, expiries }, { leased_until: until });
	const lease = startRowLease(deps, job.leasedUntil, renew, renewEveryMs);
	const leased = () => ({ id: job.id, expiries: lease.expiries() });
	let isOurs = true;
	try {
		const handler = handlers[job.kind];
		if (handler === undefined) throw new Error(`No handler for jobs of kind ${job.kind}.`);
		let pauseSeconds: number | null = null;
		await handler(deps, JSON.parse(job.payload), {
			savePayload: async (tx, payload) => {
				const isSaved = await queries.updateLeasedJob(tx, leased(), { payload: JSON.stringify(payload) });
				if (!isSaved) throw new Error('Another process has taken this job.');
			},
			reschedule: (seconds = 0) => {
				pauseSeconds = seconds;
			},
		});
		await lease.stop();
		if (pauseSeconds === null) {
			isOurs = await queries.deleteLeasedJob(deps.db, leased());
		} else {
			const again = { run_at: isoAt(deps.clock, pauseSeconds), leased_until: null, attempts: 0, last_error: null };
			isOurs = await queries.updateLeasedJob(deps.db, leased(), again);
		}
	} catch (error) {
		await lease.stop();
		logRetriedFailure(deps.log, error, { job: job.kind }, 'job failed');
		const pause = Math.min(2 ** job.attempts, maxPauseSeconds);
		const later = { run_at: isoAt(deps.clock, pause), leased_until: null, last_error: String(error) };
		isOurs = await queries.updateLeasedJob(deps.db, leased(), later);
	}
	if (!isOurs) deps.log.warn({ job: job.kind }, 'another process has taken this job meanwhile');
	return true;
}
