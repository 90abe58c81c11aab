import type { Insertable, Updateable } from 'kysely';
import { databaseTime } from '../database/connection.ts';
import { prepareQuery } from '../database/query-preparation.ts';
import type { Db, Schema } from '../database/schema.ts';
import { lockRows } from '../database/transaction.ts';

export async function insertJobIfNew(db: Db, job: Insertable<Schema['jobs']>): Promise<void> {
	await db
		.insertInto('jobs')
		.values(job)
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

/**
 * Leases the next due job of a lane for some seconds by the database's clock, inside the caller's transaction, and up to
 * `maxOf(kind)` jobs of its kind. A job that has failed, or during which a process was killed, is leased alone.
 */
export async function leaseNextJobs(
	tx: Db,
	lane: string,
	{ now, seconds, maxOf }: { now: string; seconds: number; maxOf: (kind: string) => number },
) {
	const due = tx
		.selectFrom('jobs')
		.select(['id', 'kind', 'payload', 'attempts'])
		.select(databaseTime(tx, seconds).as('leasedUntil'))
		.where('lane', '=', lane)
		.where('done_at', 'is', null)
		.where('run_at', '<=', now)
		.where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', databaseTime(tx))]))
		.orderBy('run_at');
	const next = await lockRows(tx, due.limit(1), 'skip').executeTakeFirst();
	if (next === undefined) return [];
	const max = next.attempts === 0 ? maxOf(next.kind) : 1;
	const others =
		max === 1
			? []
			: await lockRows(
					tx,
					due
						.where('kind', '=', next.kind)
						.where('id', '!=', next.id)
						.where('attempts', '=', 0)
						.limit(max - 1),
					'skip',
				).execute();
	const jobs = [next, ...others].map((job) => ({ ...job, leasedUntil: next.leasedUntil }));
	await tx
		.updateTable('jobs')
		.set((set) => ({ leased_until: next.leasedUntil, attempts: set('attempts', '+', 1) }))
		.where(
			'id',
			'in',
			jobs.map(({ id }) => id),
		)
		.execute();
	return jobs;
}

export async function releaseJobs(db: Db): Promise<void> {
	await db.updateTable('jobs').set({ leased_until: null }).where('leased_until', 'is not', null).execute();
}

const payloadsQuery = prepareQuery((db, { kind }: { kind: string }) =>
	db.selectFrom('jobs').select('payload').where('kind', '=', kind).where('done_at', 'is', null).orderBy('id'),
);

/** Returns the payloads of the unfinished jobs of one kind, oldest first. */
export async function listPayloads(db: Db, kind: string): Promise<string[]> {
	return (await payloadsQuery(db, { kind })).rows.map(({ payload }) => payload);
}

/** A job with the fencing token of its lease: `expiries` are the moments at which the lease may expire. */
interface LeasedJob {
	id: string;
	expiries: string[];
}

/** @returns false when another process has leased the job meanwhile */
export async function deleteLeasedJob(db: Db, { id, expiries }: LeasedJob): Promise<boolean> {
	const { numDeletedRows } = await db
		.deleteFrom('jobs')
		.where('id', '=', id)
		.where('leased_until', 'in', expiries)
		.executeTakeFirst();
	return numDeletedRows > 0n;
}

/** @returns false when another process has leased the job meanwhile */
export async function updateLeasedJob(
	db: Db,
	{ id, expiries }: LeasedJob,
	changes: Updateable<Schema['jobs']>,
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('jobs')
		.set(changes)
		.where('id', '=', id)
		.where('leased_until', 'in', expiries)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}
