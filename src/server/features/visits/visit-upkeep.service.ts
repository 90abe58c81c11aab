import { inTransaction } from '../../db/transaction.ts';
import { networkOf } from '../../platform/addresses.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import type { RunningJob } from '../../platform/jobs/jobs.ts';
import { getVisitSettings } from './visit-settings.service.ts';
import { countEach } from './visits.counts.ts';
import * as queries from './visits.queries.ts';

/** Of one transaction: on SQLite everybody else waits meanwhile. */
const visitsAtOnce = 200;
const stepsOfJob = 50;
const daySeconds = 24 * 3600;

/** Hourly: forgets visits that were kept long enough, and shortens addresses that were recorded meanwhile. */
export async function tidyVisits(deps: Deps): Promise<void> {
	while (await tidySome(deps));
}

/** The same after the settings were saved, in steps between which other jobs have their turn. */
export async function continueTidying(deps: Deps, _payload: unknown, job: RunningJob): Promise<void> {
	for (let step = 0; step < stepsOfJob; step += 1) {
		if (await tidySome(deps)) continue;
		deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'visits' } });
		return;
	}
	job.again();
}

/** @returns whether there may be more */
async function tidySome(deps: Deps): Promise<boolean> {
	const { keptDays, isShortened } = await getVisitSettings(deps.db);
	if (keptDays !== null && (await forgetSome(deps, isoAt(deps.clock, -keptDays * daySeconds)))) return true;
	return isShortened && (await shortenSome(deps));
}

/** Totals by day stay. */
function forgetSome(deps: Deps, before: string): Promise<boolean> {
	return inTransaction(deps.db, async (tx) => {
		const gone = await queries.deleteOldest(tx, before, visitsAtOnce);
		let addresses = 0;
		for (const [ip, visits] of [...countEach(gone)].sort(byFirst))
			if (await queries.takeFromAddress(tx, ip, visits)) addresses += 1;
		await queries.addToAddressCount(tx, -addresses);
		return gone.length === visitsAtOnce;
	});
}

function shortenSome(deps: Deps): Promise<boolean> {
	return inTransaction(deps.db, async (tx) => {
		const long = await queries.listLongAddresses(tx, visitsAtOnce);
		let left = visitsAtOnce;
		let addresses = 0;
		for (const { ip, last_at } of long) {
			if (left <= 0) break;
			const network = networkOf(ip);
			if (network === ip) {
				await queries.markShort(tx, ip);
				left -= 1;
				continue;
			}
			const moved = await queries.moveVisits(tx, ip, network, left);
			const isWhole = moved < left;
			if (isWhole) await queries.deleteAddress(tx, ip);
			const isGone = isWhole || (await queries.takeFromAddress(tx, ip, moved));
			if (isGone) addresses -= 1;
			if (moved > 0)
				addresses += await queries.addToAddresses(tx, [{ ip: network, visits: moved, last_at, is_short: 1 }]);
			left -= Math.max(moved, 1);
		}
		await queries.addToAddressCount(tx, addresses);
		return long.length > 0;
	});
}

const byFirst = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
