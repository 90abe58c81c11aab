import * as z from 'zod';
import { userSummary } from '../accounts/administration.ts';
import { shelfEdition } from '../book/shelf.ts';
import { recordId, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { userOrder } from '../orders/orders.ts';

/** What a person has done of the course, by their own lessons. */
export const courseSummary = z.object({
	/** Lessons that were opened, those that are done among them; only of what is still there. */
	begun: z.number(),
	done: z.number(),
	/** The lesson opened last; null where none was. */
	last: z
		.object({
			name: z.string(),
			/** As of a lesson: seconds, or a page from 1; `total` 0 while unknown. */
			position: z.number(),
			total: z.number(),
			isDone: z.boolean(),
			at: timestamp,
		})
		.nullable(),
});
export type CourseSummary = z.infer<typeof courseSummary>;

/** What the owner needs to know of somebody they are talking to. */
export const memberCard = z.object({
	person: userSummary,
	memberSince: timestamp,
	/** Newest first. */
	orders: z.array(userOrder),
	book: z.object({
		/** As for the shelf: an admin reads by the role, whatever was ordered. */
		access: z.enum(['none', 'pending', 'open']),
		editions: z.array(shelfEdition.pick({ key: true, part: true, language: true })),
	}),
	course: courseSummary,
});
export type MemberCard = z.infer<typeof memberCard>;

export const memberCardErrors = defineErrors({
	/** A login that opens nothing is not sent. */
	LOGIN_NOT_OPEN: { status: 409, messageKey: 'error_login_not_open' },
});

/** The person beside a conversation, for admins. */
export const chatPerson = {
	/** NOT_FOUND. */
	get: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/chats/{userId}/person', summary: 'Who a conversation is with' })
		.input(z.object({ userId: recordId }))
		.output(memberCard),
	/** Mails a link to set a password, with the newest order where there is one. NOT_FOUND, LOGIN_NOT_OPEN, TOO_MANY_RESETS. */
	sendLogin: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/chats/{userId}/login', summary: 'Send login again' })
		.input(z.object({ userId: recordId }))
		.output(z.object({ email: z.string() })),
};
