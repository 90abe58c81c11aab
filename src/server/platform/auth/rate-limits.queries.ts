import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Adds to a window's count, opening a new window when the old one is over. @returns the count with this one. */
export async function addToWindow(db: Db, key: string, add: number, now: string, resetsAt: string): Promise<number> {
	const row = await db
		.insertInto('rate_limits')
		.values({ key, count: Math.max(add, 0), resets_at: resetsAt })
		.onConflict((conflict) =>
			conflict.column('key').doUpdateSet({
				count: sql<number>`case when rate_limits.resets_at <= ${now} then ${Math.max(add, 0)} else rate_limits.count + ${add} end`,
				resets_at: sql<string>`case when rate_limits.resets_at <= ${now} then ${resetsAt} else rate_limits.resets_at end`,
			}),
		)
		.returning('count')
		.executeTakeFirstOrThrow();
	return row.count;
}

export async function deleteOldWindows(db: Db, now: string): Promise<void> {
	await db.deleteFrom('rate_limits').where('resets_at', '<=', now).execute();
}
