import * as z from 'zod';
import { cursor, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { visitEvents, visitPages, visitsPath } from './visit-beacon.ts';

/** What the owner decided about the counting of visits. */
export const visitSettings = z.object({
	/** Programs that say so in their User-Agent, and those that say nothing, are not counted. */
	leavesOutBots: z.boolean(),
	/** Visits of signed-in admins are not counted. */
	leavesOutOwn: z.boolean(),
	/** Of an address only the network is kept: without the last number of IPv4, the first 48 bits of IPv6. */
	isShortened: z.boolean(),
	/** Days until a visit with its address is forgotten; null: never. Totals by day stay. */
	keptDays: z
		.number('error_visit_days')
		.int('error_visit_days')
		.min(1, 'error_visit_days')
		.max(limits.visitRetentionDaysMax, 'error_visit_days')
		.nullable(),
});
export type VisitSettings = z.infer<typeof visitSettings>;

export const visitDefaults: VisitSettings = {
	leavesOutBots: true,
	leavesOutOwn: true,
	isShortened: false,
	keptDays: limits.visitRetentionDaysDefault,
};

/** A referrer's name where a day had too many of them. */
export const otherReferrers = '*';

export const visits = {
	/** From the landing page. Whether it was counted, nobody is told. */
	record: endpoint
		.meta({ access: 'public' })
		.route({ method: 'POST', path: visitsPath, summary: 'Tell of a visit to the landing page' })
		.input(
			z.object({
				event: z.enum(visitEvents),
				page: z.enum(visitPages),
				referrer: z.string().max(limits.textMaxLength, 'error_field_too_long'),
			}),
		)
		.output(z.object({})),
	/** Totals of all time; days, pages, referrers and the way to a sale of the last `days` days. */
	summary: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/visits-summary', summary: 'Visits: totals, days, pages, referrers, funnel' })
		.input(z.object({ days: z.coerce.number().int().min(1).max(365).default(30) }))
		.output(
			z.object({
				totalVisits: z.number(),
				/** Addresses that are kept. */
				uniqueVisitors: z.number(),
				/** Every day in the business time zone, oldest first, a day without visits too. */
				days: z.array(z.object({ day: z.string(), visits: z.number() })),
				pages: z.array(z.object({ page: z.string(), visits: z.number() })),
				/** The most frequent; '' came without one, {@link otherReferrers} stands for those of a flood. */
				referrers: z.array(z.object({ referrer: z.string(), visits: z.number() })),
				funnel: z.object({
					visits: z.number(),
					formsBegun: z.number(),
					/** Orders placed in that time, and those of them that are Complete now. */
					proofsSent: z.number(),
					verified: z.number(),
				}),
			}),
		),
	addresses: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/visit-addresses', summary: 'Visits by IP address' })
		.input(z.object({ sort: z.enum(['visits', 'ip']).default('visits'), cursor, limit: pageSize }))
		.output(
			z.object({
				items: z.array(z.object({ ip: z.string(), visits: z.number(), lastVisitAt: timestamp })),
				nextCursor: z.string().nullable(),
				total: z.number(),
			}),
		),
	getSettings: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/settings/visits', summary: 'Settings of visits' })
		.output(visitSettings.extend({ version: z.number() })),
	/** STALE, INVALID_INPUT with `fields`. What is kept already is shortened and forgotten soon after. */
	saveSettings: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/visits', summary: 'Save the settings of visits' })
		.input(visitSettings.extend({ version: z.number().int() }))
		.output(z.object({ version: z.number() })),
};
