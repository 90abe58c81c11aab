import * as z from 'zod';
import { cursor, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { editionIdentity, editionKey } from './editions.ts';

/** Progress of the readers of one edition. A percentage is the furthest page read, as a share of all pages. */
export const editionReading = editionIdentity.extend({
	/** Number of users with book access who have opened the edition. */
	opened: z.number(),
	medianPercent: z.number().nullable(),
	meanPercent: z.number().nullable(),
	/** Number of readers whose furthest page is in each tenth of the edition; the last page belongs to the last tenth. */
	tenths: z.array(z.number()).length(10),
	/** Number of readers who have reached 98 percent. Not 100, because few readers open the last pages. */
	finished: z.number(),
	/** Number of readers who have read in the edition within the last 7 and the last 30 days. */
	readIn7Days: z.number(),
	readIn30Days: z.number(),
});
export type EditionReading = z.infer<typeof editionReading>;

export const readerSorts = ['furthest', 'read'] as const;

/** Reading progress, for admins. Readers are active members who have book access now; admins are not counted. */
export const readingStats = {
	summary: endpoint('admin', 'GET /api/reading-stats', 'Get reading progress per edition, without names').output(
		z.object({
			/** Number of users who may read; 0 while no edition is assigned. */
			readers: z.number(),
			editions: z.array(editionReading),
		}),
	),
	/** Lists the progress of each reader; audited once a day for each admin. NOT_FOUND for an edition without a file. */
	people: endpoint('admin', 'GET /api/reading-stats/people', 'List the readers of an edition with their progress')
		.input(z.object({ edition: editionKey, sort: z.enum(readerSorts).default('furthest'), cursor, limit: pageSize }))
		.output(
			pageOf(
				z.object({
					id: z.string(),
					email: z.string(),
					name: z.string().nullable(),
					percent: z.number(),
					lastReadAt: timestamp,
				}),
			),
		),
};
