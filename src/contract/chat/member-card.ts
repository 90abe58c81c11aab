import * as z from 'zod';
import { userSummary } from '../accounts/administration.ts';
import { shelfEdition } from '../book/shelf.ts';
import { recordId, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { userOrder } from '../orders/orders.ts';

export const courseSummary = z.object({
	/** Number of existing lessons that the user has opened, including those that are done. */
	begun: z.number(),
	done: z.number(),
	/** The last opened lesson; null before the first. */
	last: z
		.object({
			name: z.string(),
			/** Position in seconds, or a page number from 1; `total` is 0 while unknown. */
			position: z.number(),
			total: z.number(),
			isDone: z.boolean(),
			at: timestamp,
		})
		.nullable(),
});
export type CourseSummary = z.infer<typeof courseSummary>;

export const memberCard = z.object({
	person: userSummary,
	memberSince: timestamp,
	/** Newest first. */
	orders: z.array(userOrder),
	book: z.object({
		/** Same value as on the member's shelf. Admins have access without an order. */
		access: z.enum(['none', 'pending', 'open']),
		editions: z.array(shelfEdition.pick({ key: true, part: true, language: true })),
	}),
	course: courseSummary,
});
export type MemberCard = z.infer<typeof memberCard>;

export const memberCardErrors = defineErrors({
	/** The user is deactivated, so no login link is mailed. */
	LOGIN_NOT_OPEN: { status: 409, messageKey: 'error_login_not_open' },
});

export const chatPerson = {
	/** NOT_FOUND. */
	get: endpoint('admin', 'GET /api/chats/{userId}/person', 'Get details about the member of a conversation')
		.input(z.object({ userId: recordId }))
		.output(memberCard),
	/** Mails a link to set a password, and details of the newest order. NOT_FOUND, LOGIN_NOT_OPEN, TOO_MANY_RESETS. */
	sendLogin: endpoint('admin', 'POST /api/chats/{userId}/login', 'Mail a login link to the member again')
		.input(z.object({ userId: recordId }))
		.output(z.object({ email: z.string() })),
};
