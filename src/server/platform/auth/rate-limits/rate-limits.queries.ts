import { sql } from 'kysely';
import { inBatches } from '../../database/query-preparation.ts';
import type { Db } from '../../database/schema.ts';

/** A window is over at `now`, or if it ends after `latestEnd`: then the clock was set back since its start. */
interface WindowBounds {
	now: string;
	latestEnd: string;
}

const isOver = ({ now, latestEnd }: WindowBounds) =>
	sql<boolean>`(rate_limits.resets_at <= ${now} or rate_limits.resets_at > ${latestEnd})`;

/** Column values for a conflict: adds to the current window, or replaces one that is over. */
const addToWindow = (bounds: WindowBounds) => ({
	count: sql<number>`case when ${isOver(bounds)} then excluded.count else rate_limits.count + excluded.count end`,
	resets_at: sql<string>`case when ${isOver(bounds)} then excluded.resets_at else rate_limits.resets_at end`,
});

/** Adds to the count of the current window, or opens a new one. @returns false when the count would exceed `most` */
export async function incrementWindow(
	db: Db,
	key: string,
	{ amount, most, resetsAt, ...bounds }: WindowBounds & { amount: number; most: number; resetsAt: string },
): Promise<boolean> {
	if (amount > most) return false;
	const row = await db
		.insertInto('rate_limits')
		.values({ key, count: amount, resets_at: resetsAt })
		.onConflict((conflict) =>
			conflict
				.column('key')
				.doUpdateSet(addToWindow(bounds))
				.where(sql<boolean>`${isOver(bounds)} or rate_limits.count + excluded.count <= ${most}`),
		)
		.returning('count')
		.executeTakeFirst();
	return row !== undefined;
}

/** Adds a number to the window of each key. @returns the new counts by key */
export async function incrementWindows(
	tx: Db,
	added: ReadonlyMap<string, number>,
	{ resetsAt, ...bounds }: WindowBounds & { resetsAt: string },
) {
	// Sorted, so that two transactions that lock the same rows run one after the other instead of deadlocking.
	const rows = [...added].map(([key, count]) => ({ key, count, resets_at: resetsAt })).sort(byKey);
	const counts = new Map<string, number>();
	for (const batch of inBatches(rows)) {
		const written = await tx
			.insertInto('rate_limits')
			.values(batch)
			.onConflict((conflict) => conflict.column('key').doUpdateSet(addToWindow(bounds)))
			.returning(['key', 'count'])
			.execute();
		for (const { key, count } of written) counts.set(key, count);
	}
	return counts;
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);

export async function countInWindow(db: Db, key: string, bounds: WindowBounds): Promise<number> {
	const row = await db
		.selectFrom('rate_limits')
		.select('count')
		.where('key', '=', key)
		.where(sql<boolean>`not ${isOver(bounds)}`)
		.executeTakeFirst();
	return row?.count ?? 0;
}

export async function deleteExpiredWindows(db: Db, now: string): Promise<void> {
	await db.deleteFrom('rate_limits').where('resets_at', '<=', now).execute();
}

export async function deleteWindows(tx: Db, keys: string[]): Promise<void> {
	await tx.deleteFrom('rate_limits').where('key', 'in', keys).execute();
}
