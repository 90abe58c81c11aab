import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';

/** The parts of the book: each has an edition in either language. */
export const bookParts = [1, 2] as const;
const part = z.union([z.literal(1), z.literal(2)]);

/** Where an entry stands in its outline: `2`, `2.1`. */
const entryId = z.string().regex(/^[1-9]\d{0,5}(\.[1-9]\d{0,5}){0,9}$/u);

const outlineEntry = z.object({ id: entryId, title: z.string(), page: z.number().nullable() });

/** What is known of an edition's outline. `id`: of the bytes it was read from. */
export const editionOutline = z.discriminatedUnion('state', [
	z.object({ state: z.literal('reading') }),
	z.object({
		state: z.literal('ready'),
		id: z.string(),
		pageCount: z.number(),
		/** In their order, those below another after it; empty where the file has no outline. */
		entries: z.array(outlineEntry),
	}),
	/** `problem`: a sentence in the caller's language. */
	z.object({ state: z.literal('failed'), problem: z.string() }),
]);
export type EditionOutline = z.infer<typeof editionOutline>;

/** What the owner has decided for an English entry; null: it has no counterpart. */
const manualMatch = z.object({ en: entryId, hi: entryId.nullable() });

const partOutlines = z.object({
	part,
	/** Null while no file is assigned. */
	en: editionOutline.nullable(),
	hi: editionOutline.nullable(),
	/** What was decided by hand; all else is as `matchChapters` suggests. */
	byHand: z.array(manualMatch),
});
export type PartOutlines = z.infer<typeof partOutlines>;

const version = z.number().int();

/** Which entry of the one language's outline says what which of the other's says. */
export const chapterMatching = {
	/** `parts`: only those whose two outlines are known. Empty for whoever may not read the book. */
	read: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/outline-pairs', summary: 'Which chapters of two languages belong together' })
		.output(z.object({ parts: z.array(z.object({ part, pairs: z.array(z.object({ en: entryId, hi: entryId })) })) })),
	get: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/settings/outline-pairs', summary: "The editions' outlines and their pairs" })
		.output(z.object({ parts: z.array(partOutlines), version })),
	/**
	 * A part that is not named stays as it is. INVALID_INPUT with `fields` where two entries have one counterpart or one is
	 * not there; STALE, also where an outline has become another meanwhile.
	 */
	save: endpoint
		.meta({ access: 'admin', bodyLimitBytes: 512 * 1024 })
		.route({ method: 'PUT', path: '/api/settings/outline-pairs', summary: 'Pair the outlines by hand' })
		.input(
			z.object({
				parts: z
					.array(
						z.object({
							part,
							/** Ids of the outlines that were looked at. */
							en: z.string(),
							hi: z.string(),
							byHand: z.array(manualMatch).max(limits.outlineEntriesMax),
						}),
					)
					.max(bookParts.length),
				version,
			}),
		)
		.output(z.object({ version })),
};
