import * as z from 'zod';
import { timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';

/** `none`: no order and no grant; `pending`: an order is being verified; `open`: the book may be read. */
export const bookAccess = z.enum(['none', 'pending', 'open']);
export type BookAccess = z.infer<typeof bookAccess>;

/** By what somebody may read the book. */
export const userBookAccess = z.object({
	access: bookAccess,
	/** Given by an admin, without an order; null without that. */
	grant: z.object({ by: z.string(), at: timestamp }).nullable(),
});
export type UserBookAccess = z.infer<typeof userBookAccess>;

/** The book given to members who have no order. */
export const bookGrants = {
	/** NOT_FOUND. */
	get: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/users/{id}/book-access', summary: 'By what a person may read the book' })
		.input(z.object({ id: z.string() }))
		.output(userBookAccess),
	/** An order stays as it is. The person's open pages hear of it at once. NOT_FOUND. */
	set: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/users/{id}/book-grant', summary: 'Give a person the book, or take it back' })
		.input(z.object({ id: z.string(), isGranted: z.boolean() }))
		.output(userBookAccess),
};
