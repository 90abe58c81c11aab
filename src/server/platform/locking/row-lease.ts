import { readDatabaseTime } from '../database/database-time.ts';
import type { Deps } from '../deps.ts';

/** For so long by the database's clock a row is held that a process has taken; whoever is killed holds it no longer than that. */
export const leaseSeconds = 30;
const renewEveryMs = (leaseSeconds * 1000) / 3;

/** A row that this process works on, held for as long as the work takes. */
export interface RowLease {
	/**
	 * The moments up to which the row may stand as ours: nobody else's lease of it ends at one of them, for others take it
	 * only after ours is over. Whatever is written of the row, is written where it says one of these.
	 */
	expiries(): string[];
	/** No renewal is under way afterwards. */
	stop(): Promise<void>;
}

/**
 * Renews a lease while its work is under way. `renew` moves the row's moment where it still says one of ours.
 * @returns after the work, whoever has the row by then
 */
export function startRowLease(
	deps: Deps,
	leasedUntil: string,
	renew: (moments: string[], leasedUntil: string) => Promise<boolean>,
	everyMs: number = renewEveryMs,
): RowLease {
	let moments = [leasedUntil];
	let renewing: Promise<void> | null = null;
	async function renewNow(): Promise<void> {
		const before = moments;
		try {
			const next = await readDatabaseTime(deps.db, leaseSeconds);
			// Both: whether the renewal has reached the row is known only later.
			moments = [...before, next];
			if (await renew(before, next)) moments = [next];
			else deps.log.warn('a lease is lost: another process does the work again');
		} catch (error) {
			deps.log.warn({ err: error }, 'a lease is not renewed yet');
		}
	}
	const timer = setInterval(() => {
		renewing ??= renewNow().finally(() => {
			renewing = null;
		});
	}, everyMs);
	timer.unref();
	return {
		expiries: () => moments,
		async stop() {
			clearInterval(timer);
			await renewing;
		},
	};
}
