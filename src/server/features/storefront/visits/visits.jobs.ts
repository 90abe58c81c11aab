import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { anonymizeIpAddress } from '../../../platform/http/ip-addresses.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { getVisitSettings } from './visit-settings.ts';
import { countOccurrences } from './visit-writer.ts';
import * as queries from './visits.queries.ts';

/** Maximum number of visits changed in one transaction, for which all other requests wait on SQLite. */
const visitsPerTransaction = 200;
const stepsPerRun = 50;
const daySeconds = 24 * 3600;

/** Deletes visits past their retention period, and shortens addresses that are still stored in full. Runs hourly. */
export async function applyVisitRetention(deps: Deps): Promise<void> {
	while (await applyRetentionStep(deps));
}

/** Applies changed settings to stored visits. Each run has a limited number of steps, to let other jobs run. */
export async function continueVisitRetention(deps: Deps, _payload: unknown, job: RunningJob): Promise<void> {
	for (let step = 0; step < stepsPerRun; step += 1) {
		if (await applyRetentionStep(deps)) continue;
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'visits' } });
		return;
	}
	job.reschedule();
}

/** @returns whether another step may be needed */
async function applyRetentionStep(deps: Deps): Promise<boolean> {
	const { keptDays, isShortened } = await getVisitSettings(deps.db);
	if (keptDays !== null && (await deleteExpired(deps, isoAt(deps.clock, -keptDays * daySeconds)))) return true;
	return isShortened && (await shortenAddresses(deps));
}

function deleteExpired(deps: Deps, before: string): Promise<boolean> {
	return inTransaction(deps.db, async (tx) => {
		const gone = await queries.deleteOldest(tx, before, visitsPerTransaction);
		let addresses = 0;
		for (const [ip, visits] of [...countOccurrences(gone)].sort(byKey))
			if (await queries.subtractFromAddress(tx, ip, visits)) addresses += 1;
		await queries.addToAddressCount(tx, -addresses);
		return gone.length === visitsPerTransaction;
	});
}

function shortenAddresses(deps: Deps): Promise<boolean> {
	return inTransaction(deps.db, async (tx) => {
		const unshortened = await queries.listUnshortenedAddresses(tx, visitsPerTransaction);
		let left = visitsPerTransaction;
		let addresses = 0;
		for (const { ip, last_at } of unshortened) {
			if (left <= 0) break;
			const network = anonymizeIpAddress(ip);
			if (network === ip) {
				await queries.setShortened(tx, ip);
				left -= 1;
				continue;
			}
			const moved = await queries.moveVisits(tx, ip, network, left);
			const isWhole = moved < left;
			if (isWhole) await queries.deleteAddress(tx, ip);
			const isGone = isWhole || (await queries.subtractFromAddress(tx, ip, moved));
			if (isGone) addresses -= 1;
			if (moved > 0)
				addresses += await queries.addToAddresses(tx, [{ ip: network, visits: moved, last_at, is_short: 1 }]);
			left -= Math.max(moved, 1);
		}
		await queries.addToAddressCount(tx, addresses);
		return unshortened.length > 0;
	});
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
