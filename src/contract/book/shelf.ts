import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { bookAccess } from './book-access.ts';
import { editionKey } from './book-settings.ts';
import { readingPosition } from './reading.ts';

/** A person's own copy of an edition, with their mark on every page: made when access begins. Admins read the original. */
export const editionCopy = z.discriminatedUnion('state', [
	z.object({ state: z.literal('ready') }),
	z.object({ state: z.literal('making'), percent: z.number() }),
	/** It cannot be made of this file; the owner is told why, and another file is tried anew. */
	z.object({ state: z.literal('failed') }),
]);
export type EditionCopy = z.infer<typeof editionCopy>;

/** One edition a member may open. */
export const shelfEdition = z.object({
	key: editionKey,
	part: z.union([z.literal(1), z.literal(2)]),
	language: z.enum(['en', 'hi']),
	copy: editionCopy,
	/** Of the copy; while there is none, of the original. */
	size: z.number(),
	/** Null while it is not known. */
	pageCount: z.number().nullable(),
	/** Changes with the bytes: places and ranges of two versions are not to be mixed. Null while there is no copy. */
	version: z.string().nullable(),
	/** Address of the PDF's bytes (ranges), of this version only; nothing is there before the copy is ready. */
	url: z.string(),
	/** With `download=1` the same address gives a file to keep. */
	mayDownload: z.boolean(),
	/** Where this person is in it, on whichever device; null before it was opened. */
	place: readingPosition.nullable(),
});
export type ShelfEdition = z.infer<typeof shelfEdition>;

export const reader = {
	/** `open`: book access, with the editions that are assigned. */
	shelf: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/shelf', summary: 'The editions this person may read' })
		.output(z.object({ title: z.string(), access: bookAccess, editions: z.array(shelfEdition) })),
};
