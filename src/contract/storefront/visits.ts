import * as z from 'zod';
import { cursor, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { visitEvents, visitPages, visitsPath } from './landing.ts';

export const visitSettings = z.object({
	/** Whether to ignore clients without a User-Agent or with a bot's User-Agent. */
	leavesOutBots: z.boolean(),
	/** Whether to ignore visits of signed-in admins. */
	leavesOutOwn: z.boolean(),
	/** Whether only the network of an IP address is stored: IPv4 without the last number, the first 48 bits of IPv6. */
	isShortened: z.boolean(),
	/** Days until visits with their IP addresses are deleted; null for never. Daily totals are kept. */
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

/** Stored instead of every further referrer on a day that already has the maximum number of referrers. */
export const otherReferrers = '*';

export const visits = {
	/** Records a visit to the landing page. The response is the same whether or not the visit is counted. */
	record: command('public', `POST ${visitsPath}`, 'Report a visit to the landing page').input(
		z.object({
			event: z.enum(visitEvents),
			page: z.enum(visitPages),
			referrer: z.string().max(limits.textMaxLength, 'error_field_too_long'),
		}),
	),
	/** Returns totals of all time, and days, pages, referrers and the sales funnel of the last `days` days. */
	summary: endpoint('admin', 'GET /api/visits-summary', 'Get visits by day, page and referrer, and the sales funnel')
		.input(z.object({ days: z.coerce.number().int().min(1).max(365).default(30) }))
		.output(
			z.object({
				totalVisits: z.number(),
				uniqueVisitors: z.number(),
				/** Every day in the business time zone, oldest first, including days without visits. */
				days: z.array(z.object({ day: z.string(), visits: z.number() })),
				pages: z.array(z.object({ page: z.string(), visits: z.number() })),
				/** The most frequent referrers. '': no referrer; {@link otherReferrers}: referrers beyond a day's maximum. */
				referrers: z.array(z.object({ referrer: z.string(), visits: z.number() })),
				funnel: z.object({
					visits: z.number(),
					formsBegun: z.number(),
					/** `proofsSent`: orders placed in these days; `verified`: how many of them are Complete now. */
					proofsSent: z.number(),
					verified: z.number(),
				}),
			}),
		),
	addresses: endpoint('admin', 'GET /api/visit-addresses', 'List the visits by IP address')
		.input(z.object({ sort: z.enum(['visits', 'ip']).default('visits'), cursor, limit: pageSize }))
		.output(pageOf(z.object({ ip: z.string(), visits: z.number(), lastVisitAt: timestamp }), { total: z.number() })),
	getSettings: endpoint('admin', 'GET /api/settings/visits', 'Get the visit settings').output(
		visitSettings.extend({ version: z.number() }),
	),
	/** Saves the settings; stored visits are shortened or deleted soon after. STALE, INVALID_INPUT with `fields`. */
	saveSettings: endpoint('admin', 'PUT /api/settings/visits', 'Save the visit settings')
		.input(visitSettings.extend({ version: z.number().int() }))
		.output(z.object({ version: z.number() })),
};
