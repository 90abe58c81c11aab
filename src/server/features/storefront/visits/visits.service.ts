import * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { visits } from '#contract/storefront/visits.ts';
import { isoAt } from '../../../platform/clock.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { dayOf, lastDays } from '../../../platform/format.ts';
import * as queries from './visits.queries.ts';

const referrersShown = 20;
const pagesShown = 10;
const cursorSchema = z.tuple([z.number(), z.string()]);

export async function summarizeVisits(deps: Deps, { days: count }: { days: number }) {
	const { db } = deps;
	const zone = deps.config.TIME_ZONE;
	const days = lastDays(dayOf(isoAt(deps.clock), zone), count, zone);
	const [first] = days;
	const from = first?.day ?? '';
	const [rows, pages, referrers, orders, totalVisits, uniqueVisitors] = await Promise.all([
		queries.listDays(db, from),
		queries.listSources(db, 'page', from, pagesShown),
		queries.listSources(db, 'referrer', from, referrersShown),
		queries.countOrdersSince(db, first?.from ?? ''),
		queries.sumDays(db),
		queries.countAddresses(db),
	]);
	const visitsOf = new Map(rows.map(({ day, visits }) => [day, visits]));
	const sum = (field: 'visits' | 'forms') => rows.reduce((total, row) => total + row[field], 0);
	return {
		totalVisits,
		uniqueVisitors,
		days: days.map(({ day }) => ({ day, visits: visitsOf.get(day) ?? 0 })),
		pages: pages.map(({ value, visits }) => ({ page: value, visits })),
		referrers: referrers.map(({ value, visits }) => ({ referrer: value, visits })),
		funnel: {
			visits: sum('visits'),
			formsBegun: sum('forms'),
			proofsSent: orders.placed,
			verified: orders.complete,
		},
	};
}

/** Lists one page of the visitors' IP addresses. @throws AppError INVALID_INPUT for an invalid cursor */
export async function listVisitAddresses(deps: Deps, input: InputOf<typeof visits.addresses>) {
	const after = unpackCursor(input.cursor, cursorSchema);
	const rows = await queries.listAddresses(deps.db, {
		sort: input.sort,
		after: after && { visits: after[0], ip: after[1] },
		limit: input.limit + 1,
	});
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.visits, last.ip]);
	return {
		items: page,
		nextCursor,
		total: await queries.countAddresses(deps.db),
	};
}
