import type { VisitEvent } from '#contract/storefront/landing.ts';
import { otherReferrers } from '#contract/storefront/visits.ts';
import {
	consumeRateLimits,
	hasRemainingAllowance,
	rateLimits,
} from '../../../platform/auth/rate-limits/rate-limits.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { dayOf } from '../../../platform/format.ts';
import { anonymizeIpAddress } from '../../../platform/http/ip-addresses.ts';
import { requireDatabaseSpace } from '../../../platform/storage/free-space.ts';
import { getVisitSettings } from './visit-settings.ts';
import * as queries from './visits.queries.ts';

/** Maximum number of referrers per day, because visitors can send any referrer. */
const referrersOfDayMax = 500;
const allAddresses = 'all';
/** Upper bound of a visit's rows with their indexes, in bytes. */
const visitMaxBytes = 2 * 1024;

export interface RecordedVisit extends queries.NewVisit {
	event: VisitEvent;
}

/** Writes visits and their counts in one transaction. @returns whether any was counted @throws AppError STORAGE_FULL */
export async function writeVisits(deps: Deps, recorded: readonly RecordedVisit[]): Promise<boolean> {
	await requireDatabaseSpace(deps, recorded.length * visitMaxBytes);
	// Checked first. Otherwise, even after the daily limit, a flood from new addresses would add a rate-limit row for
	// each address.
	if (!(await hasRemainingAllowance(deps, rateLimits.visitsTotal, allAddresses))) {
		deps.log.warn({ visits: recorded.length }, 'visits over the daily limit not counted');
		return false;
	}
	return inTransaction(deps.db, async (tx) => {
		const settings = await getVisitSettings(tx);
		const recordable = recorded.filter(
			({ kind }) => !(settings.leavesOutBots && kind === 'bot') && !(settings.leavesOutOwn && kind === 'own'),
		);
		if (recordable.length === 0) return false;
		const counted = await takeVisitAllowances(deps, tx, recordable);
		if (counted.length < recordable.length)
			deps.log.warn({ visits: recordable.length - counted.length }, 'visits over the daily limit not counted');
		const visits = counted
			.filter(({ event }) => event === 'visit')
			.map(({ event: _event, ip, ...visit }) => ({ ...visit, ip: settings.isShortened ? anonymizeIpAddress(ip) : ip }));
		await queries.insertVisits(tx, visits);
		await countAddresses(tx, visits, settings.isShortened);
		await countDays(deps, tx, counted);
		return counted.length > 0;
	});
}

/** @returns the visits within the limits per IP address and in total */
async function takeVisitAllowances(deps: Deps, tx: Db, visits: RecordedVisit[]): Promise<RecordedVisit[]> {
	const addresses = visits.map(({ ip }) => ip);
	const isAllowed = await consumeRateLimits(deps, tx, rateLimits.visitsPerIpAddress, addresses);
	const ofAddresses = visits.filter((_visit, index) => isAllowed[index]);
	const all = ofAddresses.map(() => allAddresses);
	const isAllowedInAll = await consumeRateLimits(deps, tx, rateLimits.visitsTotal, all);
	return ofAddresses.filter((_visit, index) => isAllowedInAll[index]);
}

async function countAddresses(tx: Db, visits: queries.NewVisit[], isShort: boolean): Promise<void> {
	const lastAt = new Map(visits.map(({ ip, visited_at }) => [ip, visited_at]));
	const rows = [...countOccurrences(visits.map(({ ip }) => ip))].map(([ip, count]) => ({
		ip,
		visits: count,
		last_at: lastAt.get(ip) ?? '',
		is_short: isShort ? (1 as const) : (0 as const),
	}));
	await queries.addToAddressCount(tx, await queries.addToAddresses(tx, rows));
}

async function countDays(deps: Deps, tx: Db, counted: RecordedVisit[]): Promise<void> {
	const days = Map.groupBy(counted, ({ visited_at: at }) => dayOf(at, deps.config.TIME_ZONE));
	for (const [day, visitsAndForms] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const visits = visitsAndForms.filter(({ event }) => event === 'visit');
		await queries.addToDay(tx, { day, visits: visits.length, forms: visitsAndForms.length - visits.length });
		const referrers = await limitReferrers(tx, day, countOccurrences(visits.map(({ referrer }) => referrer)));
		const sources = { page: countOccurrences(visits.map(({ page }) => page)), referrer: referrers };
		const rows = (['page', 'referrer'] as const).flatMap((kind) =>
			[...sources[kind]].map(([value, count]) => ({ day, kind, value, visits: count })),
		);
		await queries.addToSources(tx, rows);
	}
}

async function limitReferrers(tx: Db, day: string, counts: Map<string, number>): Promise<Map<string, number>> {
	const { known, count } = await queries.findReferrers(tx, day, [...counts.keys()]);
	let remaining = referrersOfDayMax - count;
	const limited = new Map<string, number>();
	for (const [referrer, visits] of counts) {
		const isNew = !known.has(referrer);
		if (isNew) remaining -= 1;
		const name = isNew && remaining < 0 ? otherReferrers : referrer;
		limited.set(name, (limited.get(name) ?? 0) + visits);
	}
	return limited;
}

export function countOccurrences(values: Iterable<string>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}
