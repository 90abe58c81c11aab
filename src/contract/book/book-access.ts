import * as z from 'zod';
import { timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';

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
