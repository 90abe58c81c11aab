import type { Updateable } from 'kysely';
import { databaseTime } from '../database/connection.ts';
import type { Db, Schema } from '../database/schema.ts';
import { lockRows } from '../database/transaction.ts';

export async function insertJob(
	db: Db,
	job: { id: string; kind: string; lane: string; payload: string; runAt: string },
): Promise<void> {
	await db
		.insertInto('jobs')
		.values({
			id: job.id,
			kind: job.kind,
			lane: job.lane,
			payload: job.payload,
			run_at: job.runAt,
			leased_until: null,
			done_at: null,
			last_error: null,
		})
		.onConflict((conflict) => conflict.column('id').doNothing())
		.execute();
}

/** Earlier than the due time of any other job. */
const highestPriorityRunAt = '2000-01-01T00:00:00.000Z';

/** Moves a due job that is not leased to the front of its lane. */
export async function prioritizeJob(db: Db, id: string, now: string): Promise<void> {
	await db
		.updateTable('jobs')
		.set({ run_at: highestPriorityRunAt })
		.where('id', '=', id)
		.where('leased_until', 'is', null)
		.where('run_at', '<=', now)
		.where('run_at', '>', highestPriorityRunAt)
		.execute();
}

/** Whether a lane has a due job that is not leased. */
export async function hasDueJob(db: Db, lane: string, now: string): Promise<boolean> {
	const row = await db
		.selectFrom('jobs')
		.select('id')
		.where('lane', '=', lane)
		.where('done_at', 'is', null)
		.where('run_at', '<=', now)
		.where('leased_until', 'is', null)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

/** Leases the next due job of a lane for some seconds by the database's clock, inside the caller's transaction. */
export async function leaseNextJob(tx: Db, lane: string, now: string, seconds: number) {
	const due = await lockRows(
		tx,
		tx
			.selectFrom('jobs')
			.select(['id', 'kind', 'payload', 'attempts'])
			.select(databaseTime(tx, seconds).as('leasedUntil'))
			.where('lane', '=', lane)
			.where('done_at', 'is', null)
			.where('run_at', '<=', now)
			.where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', databaseTime(tx))]))
			.orderBy('run_at')
			.limit(1),
		'skip',
	).executeTakeFirst();
	if (due === undefined) return undefined;
	await tx
		.updateTable('jobs')
		.set({ leased_until: due.leasedUntil, attempts: due.attempts + 1 })
		.where('id', '=', due.id)
		.execute();
	return due;
}

/** Ends all leases of jobs. */
export async function releaseJobs(db: Db): Promise<void> {
	await db.updateTable('jobs').set({ leased_until: null }).where('leased_until', 'is not', null).execute();
}

/** Returns the payloads of the unfinished jobs of one kind, oldest first. */
export async function listPayloads(db: Db, kind: string): Promise<string[]> {
	const rows = await db
		.selectFrom('jobs')
		.select('payload')
		.where('kind', '=', kind)
		.where('done_at', 'is', null)
		.orderBy('id')
		.execute();
	return rows.map((row) => row.payload);
}

/** A job as its lease holder sees it: `expiries` are the moments at which its lease may end. */
interface LeasedJob {
	id: string;
	expiries: string[];
}

/** @returns false when another process has leased the job meanwhile, like the functions below */
export async function updatePayload(tx: Db, job: LeasedJob, payload: string): Promise<boolean> {
	return updateLeasedJob(tx, job, { payload });
}

/** Extends the lease of a job. */
export async function renewJob(db: Db, job: LeasedJob, leasedUntil: string): Promise<boolean> {
	return updateLeasedJob(db, job, { leased_until: leasedUntil });
}

/** Returns a job to the queue after one of its steps. */
export async function requeueJob(db: Db, job: LeasedJob, runAt: string): Promise<boolean> {
	return updateLeasedJob(db, job, { run_at: runAt, leased_until: null, attempts: 0, last_error: null });
}

export async function deleteJob(db: Db, { id, expiries: moments }: LeasedJob): Promise<boolean> {
	const rows = await db
		.deleteFrom('jobs')
		.where('id', '=', id)
		.where('leased_until', 'in', moments)
		.returning('id')
		.execute();
	return rows.length > 0;
}

export async function postponeJob(db: Db, job: LeasedJob, runAt: string, error: string): Promise<boolean> {
	return updateLeasedJob(db, job, { run_at: runAt, leased_until: null, last_error: error });
}

async function updateLeasedJob(
	db: Db,
	{ id, expiries: moments }: LeasedJob,
	changes: Updateable<Schema['jobs']>,
): Promise<boolean> {
	const rows = await db
		.updateTable('jobs')
		.set(changes)
		.where('id', '=', id)
		.where('leased_until', 'in', moments)
		.returning('id')
		.execute();
	return rows.length > 0;
}
