import { readDatabaseTime } from '../database/connection.ts';
import type { Deps } from '../deps.ts';

/** Length of a lease by the database's clock; the row of a killed process is free after that. */
export const leaseSeconds = 30;
const renewEveryMs = (leaseSeconds * 1000) / 3;

/** A lease of a row that this process works on. */
interface RowLease {
	/**
	 * The moments at which this process's lease of the row may end. They identify the lease: another process takes the
	 * row only after ours is over, so its lease never ends at one of them. Every write to the row is conditional on one
	 * of these.
	 */
	expiries(): string[];
	/** Stops the renewals and waits for a running one. */
	stop(): Promise<void>;
}

/**
 * Renews a lease while its work is under way. `renew` extends the row's expiry if it is still one of ours.
 * @returns the lease, to be stopped after the work
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
			// Both, because until the renewal is answered it is unknown which of them the row has.
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
