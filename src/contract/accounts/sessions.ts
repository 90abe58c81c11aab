import * as z from 'zod';
import { cursor, device, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';

export const session = z.object({
	id: z.string(),
	device,
	/** IP address at sign-in, or 'Unknown'. */
	ip: z.string(),
	signedInAt: timestamp,
	/** Last request of the session, accurate to five minutes. */
	lastSeenAt: timestamp,
	isThis: z.boolean(),
});
export type Session = z.infer<typeof session>;

const page = z.object({ cursor, limit: pageSize });
const sessionPage = pageOf(session, { total: z.number() });
const byId = z.object({ id: z.string() });
const ended = z.object({ ended: z.number() });

/** Live sessions, newest sign-in first; the first page begins with the caller's current session. */
export const sessions = {
	list: endpoint('member', 'GET /api/sessions', 'List your own sessions', { isForSetUp: true })
		.input(page)
		.output(sessionPage),
	/** Ends one of the caller's sessions. NOT_FOUND for another user's session and for an ended session. */
	end: command('member', 'DELETE /api/sessions/{id}', 'End one of your own sessions', { isForSetUp: true }).input(byId),
	endOthers: endpoint('member', 'POST /api/sessions/end-others', 'End all your other sessions', { isForSetUp: true })
		.input(z.object({}))
		.output(ended),
	/** NOT_FOUND for an unknown user. */
	listOf: endpoint('admin', 'GET /api/users/{id}/sessions', 'List the sessions of a user')
		.input(byId.extend(page.shape))
		.output(sessionPage),
	/** NOT_FOUND for a session that has ended or belongs to another user. */
	endOf: command('admin', 'DELETE /api/users/{id}/sessions/{sessionId}', 'End a session of a user').input(
		z.object({ id: z.string(), sessionId: z.string() }),
	),
	/** Ends all sessions of a user; an admin's own current session is kept. NOT_FOUND for an unknown user. */
	endAllOf: endpoint('admin', 'POST /api/users/{id}/sessions/end-all', 'End all sessions of a user')
		.input(byId)
		.output(ended),
};

export const impersonationSeconds = 3600;

export const impersonationErrors = defineErrors({
	READ_ONLY_VIEW: { status: 403, messageKey: 'error_impersonation_read_only' },
	/** The selected user is an admin or inactive. */
	VIEW_NOT_POSSIBLE: { status: 409, messageKey: 'error_impersonation_not_possible' },
});

export const viewAs = {
	/** Lets this session see the product as the member, read-only, for at most an hour. NOT_FOUND, VIEW_NOT_POSSIBLE. */
	start: command('admin', 'POST /api/users/{id}/view-as', 'Start to view the product as a member').input(byId),
	/** Ends the impersonation; has no effect without one. */
	end: command('member', 'POST /api/view-as/end', 'Stop viewing the product as a member', { isOpenInView: true }).input(
		z.object({}),
	),
};
