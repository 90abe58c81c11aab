import { sql } from 'kysely';
import { inBatches } from '../../database/query-preparation.ts';
import type { Db } from '../../database/schema.ts';

/** Adds to the count of the current window, or opens a new one. @returns false when the count would exceed `most` */
export async function incrementWindow(
	db: Db,
	key: string,
	{ amount, most, now, resetsAt }: { amount: number; most: number; now: string; resetsAt: string },
): Promise<boolean> {
	if (amount > most) return false;
	const row = await db
		.insertInto('rate_limits')
		.values({ key, count: amount, resets_at: resetsAt })
		.onConflict((conflict) =>
			conflict
				.column('key')
				.doUpdateSet({
					count: sql<number>`case when rate_limits.resets_at <= ${now} then excluded.count else rate_limits.count + excluded.count end`,
					resets_at: sql<string>`case when rate_limits.resets_at <= ${now} then ${resetsAt} else rate_limits.resets_at end`,
				})
				.where(sql<boolean>`rate_limits.resets_at <= ${now} or rate_limits.count + excluded.count <= ${most}`),
		)
		.returning('count')
		.executeTakeFirst();
	return row !== undefined;
}

/** Adds to the windows of many keys at once, each by its own number. @returns the new counts */
export async function incrementWindows(
	tx: Db,
	added: ReadonlyMap<string, number>,
	now: string,
	resetsAt: string,
): Promise<Map<string, number>> {
	// Sorted, so that two transactions which lock the same rows wait for each other instead of deadlocking.
	const rows = [...added].map(([key, count]) => ({ key, count, resets_at: resetsAt })).sort(byKey);
	const counts = new Map<string, number>();
	for (const some of inBatches(rows)) {
		const written = await tx
			.insertInto('rate_limits')
			.values(some)
			.onConflict((conflict) =>
				conflict.column('key').doUpdateSet({
					count: sql<number>`case when rate_limits.resets_at <= ${now} then excluded.count else rate_limits.count + excluded.count end`,
					resets_at: sql<string>`case when rate_limits.resets_at <= ${now} then ${resetsAt} else rate_limits.resets_at end`,
				}),
			)
			.returning(['key', 'count'])
			.execute();
		for (const { key, count } of written) counts.set(key, count);
	}
	return counts;
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);

/** Returns the count of an open window; 0 without one. */
export async function countInWindow(db: Db, key: string, now: string): Promise<number> {
	const row = await db
		.selectFrom('rate_limits')
		.select('count')
		.where('key', '=', key)
		.where('resets_at', '>', now)
		.executeTakeFirst();
	return row?.count ?? 0;
}

export async function deleteExpiredWindows(db: Db, now: string): Promise<void> {
	await db.deleteFrom('rate_limits').where('resets_at', '<=', now).execute();
}

export async function deleteWindows(tx: Db, keys: string[]): Promise<void> {
	await tx.deleteFrom('rate_limits').where('key', 'in', keys).execute();
}
