import * as z from 'zod';
import { timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { editionIdentity, editionMatrix } from './editions.ts';
import { readingPosition } from './reading.ts';

/** `none`: no order and no grant; `pending`: an order is being verified; `open`: the book may be read. */
export const bookAccess = z.enum(['none', 'pending', 'open']);
export type BookAccess = z.infer<typeof bookAccess>;

export const userBookAccess = z.object({
	access: bookAccess,
	/** An admin's grant of access without an order; null when there is none. */
	grant: z.object({ by: z.string(), at: timestamp }).nullable(),
});
export type UserBookAccess = z.infer<typeof userBookAccess>;

/** Grants of book access to users without an order. */
export const bookGrants = {
	/** NOT_FOUND. */
	get: endpoint('admin', 'GET /api/users/{id}/book-access', 'Get whether a user may read the book, and why')
		.input(z.object({ id: z.string() }))
		.output(userBookAccess),
	/** Grants or withdraws access; an order is not changed. Notifies the user's open pages at once. NOT_FOUND. */
	set: endpoint('admin', 'PUT /api/users/{id}/book-grant', 'Grant or withdraw book access of a user')
		.input(z.object({ id: z.string(), isGranted: z.boolean() }))
		.output(userBookAccess),
};

/** A user's watermarked copy of an edition, which is made when the user gets access. Admins read the original. */
export const editionCopy = z.discriminatedUnion('state', [
	z.object({ state: z.literal('ready') }),
	z.object({ state: z.literal('making'), percent: z.number() }),
	/** The file cannot be watermarked. The owner sees the reason and can assign another file. */
	z.object({ state: z.literal('failed') }),
]);

export const shelfEdition = editionIdentity.extend({
	copy: editionCopy,
	/** Size in bytes of the copy, or of the original until the copy exists. */
	size: z.number(),
	/** Null while unknown. */
	pageCount: z.number().nullable(),
	/** Changes with the bytes, so that byte ranges of two versions are not mixed. Null while there is no copy. */
	version: z.string().nullable(),
	/** URL of this version of the PDF, with range requests; 404 until the copy is ready. */
	url: z.string(),
	/** Whether `url` with `download=1` returns the PDF as a download. */
	mayDownload: z.boolean(),
	/** The user's reading position across all devices; null before they open the edition. */
	place: readingPosition.nullable(),
});
export type ShelfEdition = z.infer<typeof shelfEdition>;

export const reader = {
	/** Returns the editions that have a file, or none unless `access` is `open`. */
	shelf: endpoint('member', 'GET /api/shelf', 'List the editions that the caller may read').output(
		z.object({
			title: z.string(),
			access: bookAccess,
			/** For texts about the book, whether the caller may read it or not. */
			offered: editionMatrix,
			editions: z.array(shelfEdition),
		}),
	),
};
