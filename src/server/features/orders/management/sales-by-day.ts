import { setImmediate } from 'node:timers/promises';
import type { SalesDay } from '#contract/orders/orders.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { dayOf, lastDays } from '../../../platform/format.ts';
import { getBook } from '../../book/index.ts';
import * as queries from '../orders.queries.ts';

const daysPerStep = 10;

/** Sales of the last days in the business time zone, oldest first; an order without a price counts at the price of today. */
export async function listSalesDays(deps: Deps, count: number): Promise<{ items: SalesDay[] }> {
	const zone = deps.config.TIME_ZONE;
	const days = lastDays(dayOf(isoAt(deps.clock), zone), count, zone);
	const { discountedPaise } = await getBook(deps, deps.db);
	const sums = new Map<string, Awaited<ReturnType<typeof queries.sumDays>>[number]>();
	for (let start = 0; start < days.length; start += daysPerStep) {
		const step = days.slice(start, start + daysPerStep);
		for (const sum of await queries.sumDays(deps.db, step, discountedPaise)) sums.set(sum.day, sum);
		// SQLite answers at once: without a turn of the event loop everybody else would wait for all of them.
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
