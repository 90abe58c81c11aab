import * as z from 'zod';
import { cursor, device, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';

/** A signed-in device. */
export const session = z.object({
	id: z.string(),
	device,
	/** IP address at sign-in; 'Unknown' when there was none. */
	ip: z.string(),
	signedInAt: timestamp,
	/** Last request of the session, accurate to five minutes. */
	lastSeenAt: timestamp,
	/** Whether this is the session of the caller. */
	isThis: z.boolean(),
});
export type Session = z.infer<typeof session>;

const page = z.object({ cursor, limit: pageSize });
const sessionPage = z.object({ items: z.array(session), nextCursor: z.string().nullable(), total: z.number() });
const userIdInput = z.object({ id: z.string() });
const ended = z.object({ ended: z.number() });

/** Live sessions, newest sign-in first; the caller's current session leads the first page. */
export const sessions = {
	list: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'GET', path: '/api/sessions', summary: "One's own devices" })
		.input(page)
		.output(sessionPage),
	/**
	 * Ends one of the caller's sessions within a second. NOT_FOUND for another user's session and for one that has ended.
	 */
	end: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'DELETE', path: '/api/sessions/{id}', summary: 'Sign one device out' })
		.input(z.object({ id: z.string() }))
		.output(z.object({})),
	/** Ends all sessions of the caller except the current one. */
	endOthers: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'POST', path: '/api/sessions/end-others', summary: 'Sign all other devices out' })
		.input(z.object({}))
		.output(ended),
	/** NOT_FOUND for an unknown user. */
	listOf: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/users/{id}/sessions', summary: "A person's devices" })
		.input(userIdInput.extend(page.shape))
		.output(sessionPage),
	/** NOT_FOUND for a session that has ended or belongs to another user. */
	endOf: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/users/{id}/sessions/{sessionId}', summary: "Sign a person's device out" })
		.input(z.object({ id: z.string(), sessionId: z.string() }))
		.output(z.object({})),
	/** Ends all sessions of a user; an admin's own current session is kept. NOT_FOUND for an unknown user. */
	endAllOf: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/users/{id}/sessions/end-all', summary: "Sign all of a person's devices out" })
		.input(userIdInput)
		.output(ended),
};

/** Seconds after which an impersonation ends by itself. */
export const impersonationSeconds = 3600;

export const impersonationErrors = defineErrors({
	READ_ONLY_VIEW: { status: 403, messageKey: 'error_impersonation_read_only' },
	/** The user to view as is an admin or inactive. */
	VIEW_NOT_POSSIBLE: { status: 409, messageKey: 'error_impersonation_not_possible' },
});

export const viewAs = {
	/** Makes this session see what the member sees, read-only, for at most an hour. NOT_FOUND, VIEW_NOT_POSSIBLE. */
	start: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/users/{id}/view-as', summary: 'See the product as a member does' })
		.input(z.object({ id: z.string() }))
		.output(z.object({})),
	/** Ends the impersonation; has no effect without one. */
	end: endpoint
		.meta({ access: 'member', isOpenInView: true })
		.route({ method: 'POST', path: '/api/view-as/end', summary: 'End the view as a member' })
		.input(z.object({}))
		.output(z.object({})),
};
