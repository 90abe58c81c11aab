import { setImmediate } from 'node:timers/promises';
import type { SalesDay } from '#contract/orders/orders.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { dayOf, lastDays } from '../../../platform/format.ts';
import { getBook } from '../../book/index.ts';
import * as queries from '../orders.queries.ts';

const daysPerStep = 10;

/** Returns the sales of the last days, oldest first. An order without a price counts at the current price. */
export async function listSalesDays(deps: Deps, count: number): Promise<{ items: SalesDay[] }> {
	const zone = deps.config.TIME_ZONE;
	const days = lastDays(dayOf(isoAt(deps.clock), zone), count, zone);
	const { discountedPaise } = await getBook(deps, deps.db);
	const sums = new Map<string, Awaited<ReturnType<typeof queries.sumDays>>[number]>();
	for (let start = 0; start < days.length; start += daysPerStep) {
		const step = days.slice(start, start + daysPerStep);
		for (const sum of await queries.sumDays(deps.db, step, discountedPaise)) sums.set(sum.day, sum);
		// SQLite queries block the event loop: without yielding, all other requests would wait for the whole calculation.
		await setImmediate();
	}
	return {
		items: days.map(({ day }) => {
			const sum = sums.get(day);
			return {
				day,
				orders: sum?.orders ?? 0,
				totalSales: (sum?.totalPaise ?? 0) / 100,
				verifiedSales: (sum?.verifiedPaise ?? 0) / 100,
			};
		}),
	};
}
