import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { bookLanguage, bookPart as part } from './editions.ts';

/**
 * The chapters of a part in another language are matched with those in its first language, which is the first with a
 * file. `en` is an entry or outline in the first language and `hi` one in the other language: the names are from the time
 * when these were the only two.
 */
const matchedLanguages = z.object({ part, firstLanguage: bookLanguage, language: bookLanguage });

/** Names the matches of two languages of a part in stored data and in errors. */
export function matchesKeyOf({ part, firstLanguage, language }: z.infer<typeof matchedLanguages>): string {
	return firstLanguage === 'en' && language === 'hi' ? String(part) : `${part}-${firstLanguage}-${language}`;
}

/** Position of an entry in its outline: `2`, `2.1`. */
const entryId = z.string().regex(/^[1-9]\d{0,5}(\.[1-9]\d{0,5}){0,9}$/u);

const outlineEntry = z.object({ id: entryId, title: z.string(), page: z.number().nullable() });

/** State of an edition's outline. `id` identifies the version of the file from which the outline was read. */
export const editionOutline = z.discriminatedUnion('state', [
	z.object({ state: z.literal('reading') }),
	z.object({
		state: z.literal('ready'),
		id: z.string(),
		pageCount: z.number(),
		/** In document order, children after their parent; empty when the file has no outline. */
		entries: z.array(outlineEntry),
	}),
	/** `problem`: a sentence in the caller's language. */
	z.object({ state: z.literal('failed'), problem: z.string() }),
]);
export type EditionOutline = z.infer<typeof editionOutline>;

/** The owner's choice for an entry in the first language; `hi` is null when the entry has no counterpart. */
const manualMatch = z.object({ en: entryId, hi: entryId.nullable() });

const partOutlines = matchedLanguages.extend({
	/** Null while no file is assigned. */
	en: editionOutline.nullable(),
	hi: editionOutline.nullable(),
	/** Matches made by hand; `matchChapters` suggests all others. */
	byHand: z.array(manualMatch),
});
export type PartOutlines = z.infer<typeof partOutlines>;

const version = z.number().int();

export const chapterMatching = {
	/** Returns the pairs of languages whose two outlines are known; none for users without book access. */
	read: endpoint(
		'member',
		'GET /api/outline-pairs',
		'List the matching chapters of the editions in different languages',
	).output(
		z.object({
			parts: z.array(matchedLanguages.extend({ pairs: z.array(z.object({ en: entryId, hi: entryId })) })),
		}),
	),
	get: endpoint(
		'admin',
		'GET /api/settings/outline-pairs',
		'Get the outlines of the editions and their matches',
	).output(z.object({ parts: z.array(partOutlines), version })),
	/**
	 * Saves the matches made by hand. Parts that are not listed keep their matches. INVALID_INPUT with `fields` when two
	 * entries have the same counterpart or an entry does not exist. STALE, also when an outline has changed meanwhile.
	 */
	save: endpoint('admin', 'PUT /api/settings/outline-pairs', 'Save the chapter matches made by hand', {
		bodyLimitBytes: 512 * 1024,
	})
		.input(
			z.object({
				parts: z
					.array(
						z.object({
							part,
							/** The other language; absent for the first of the part's other languages. */
							language: bookLanguage.optional(),
							/** IDs of the outlines that the matches were made for. */
							en: z.string(),
							hi: z.string(),
							byHand: z.array(manualMatch).max(limits.outlineEntriesMax),
						}),
					)
					.max(limits.editionPartsMax * limits.editionLanguagesMax),
				version,
			}),
		)
		.output(z.object({ version })),
};
