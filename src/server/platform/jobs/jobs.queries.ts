import { lockRows } from '../../db/row-lock.ts';
import type { Db } from '../../db/schema.ts';

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

/** Whether a lane has something to do now. */
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

/** Takes the next due job of a lane that nobody holds, inside the caller's transaction. */
export async function leaseNextJob(tx: Db, lane: string, now: string, leasedUntil: string) {
	const due = await lockRows(
		tx,
		tx
			.selectFrom('jobs')
			.select(['id', 'kind', 'payload', 'attempts'])
			.where('lane', '=', lane)
			.where('done_at', 'is', null)
			.where('run_at', '<=', now)
			.where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
			.orderBy('run_at')
			.limit(1),
		'skip',
	).executeTakeFirst();
	if (due === undefined) return undefined;
	await tx
		.updateTable('jobs')
		.set({ leased_until: leasedUntil, attempts: due.attempts + 1 })
		.where('id', '=', due.id)
		.execute();
	return due;
}

/** Nobody holds a job any more. */
export async function releaseJobs(db: Db): Promise<void> {
	await db.updateTable('jobs').set({ leased_until: null }).where('leased_until', 'is not', null).execute();
}

/** What the jobs of one kind that are still to be done are about, oldest first. */
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

export async function updatePayload(tx: Db, id: string, payload: string): Promise<void> {
	await tx.updateTable('jobs').set({ payload }).where('id', '=', id).execute();
}

/** Puts a job back in line: one step of it is done. */
export async function requeueJob(db: Db, id: string, runAt: string): Promise<void> {
	await db
		.updateTable('jobs')
		.set({ run_at: runAt, leased_until: null, attempts: 0, last_error: null })
		.where('id', '=', id)
		.execute();
}

export async function deleteJob(db: Db, id: string): Promise<void> {
	await db.deleteFrom('jobs').where('id', '=', id).execute();
}

export async function postponeJob(db: Db, id: string, runAt: string, error: string): Promise<void> {
	await db
		.updateTable('jobs')
		.set({ run_at: runAt, leased_until: null, last_error: error })
		.where('id', '=', id)
		.execute();
}
