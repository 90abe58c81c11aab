import * as z from 'zod';
import { cursor, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { editionKey } from './book-settings.ts';

/** How far the readers of one edition are. Percent: the furthest page of all pages, 0 to 100. */
export const editionReading = z.object({
	key: editionKey,
	part: z.union([z.literal(1), z.literal(2)]),
	language: z.enum(['en', 'hi']),
	/** Of those with book access, how many have opened it. */
	opened: z.number(),
	/** Null while nobody has. */
	medianPercent: z.number().nullable(),
	meanPercent: z.number().nullable(),
	/** How many are in each tenth of it, from the beginning to the end; the last page is in the last. */
	tenths: z.array(z.number()).length(10),
	/** Who has come to 98 percent: the last pages are seldom turned. */
	finished: z.number(),
	/** Who has read in it within the last 7 and the last 30 days. */
	readIn7Days: z.number(),
	readIn30Days: z.number(),
});
export type EditionReading = z.infer<typeof editionReading>;

/** What the people of one edition are sorted by: the furthest, or the one who read last, first. */
export const readerSorts = ['furthest', 'read'] as const;

/** How far readers are, for the owner. Readers are active members with book access now; admins who look into the book are none. */
export const readingStats = {
	/** Numbers that name nobody, of each edition that is assigned. */
	summary: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/reading-stats', summary: 'How far readers are, in numbers' })
		.output(
			z.object({
				/** Who may read; nobody while no edition is assigned. */
				readers: z.number(),
				editions: z.array(editionReading),
			}),
		),
	/** Who is how far in an edition, of those who have opened it. Asking is audited, once a day. NOT_FOUND for an edition that is not assigned. */
	people: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/reading-stats/people', summary: 'How far readers are, by name' })
		.input(z.object({ edition: editionKey, sort: z.enum(readerSorts).default('furthest'), cursor, limit: pageSize }))
		.output(
			z.object({
				items: z.array(
					z.object({
						id: z.string(),
						email: z.string(),
						name: z.string().nullable(),
						percent: z.number(),
						lastReadAt: timestamp,
					}),
				),
				nextCursor: z.string().nullable(),
			}),
		),
};
