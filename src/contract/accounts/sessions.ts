import * as z from 'zod';
import { cursor, device, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';

/** A place where somebody is signed in. */
export const session = z.object({
	id: z.string(),
	device,
	/** The address at the sign-in; 'Unknown' where there was none. */
	ip: z.string(),
	signedInAt: timestamp,
	/** Exact to five minutes. */
	lastSeenAt: timestamp,
	/** The session that asks. */
	isThis: z.boolean(),
});
export type Session = z.infer<typeof session>;

const page = z.object({ cursor, limit: pageSize });
const sessionPage = z.object({ items: z.array(session), nextCursor: z.string().nullable(), total: z.number() });
const userIdInput = z.object({ id: z.string() });
const ended = z.object({ ended: z.number() });

/** Live sessions, newest sign-in first; one's own current session leads the first page. */
export const sessions = {
	list: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'GET', path: '/api/sessions', summary: "One's own devices" })
		.input(page)
		.output(sessionPage),
	/** Ends a session of one's own within a second. NOT_FOUND for another's and for one that is over. */
	end: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'DELETE', path: '/api/sessions/{id}', summary: 'Sign one device out' })
		.input(z.object({ id: z.string() }))
		.output(z.object({})),
	/** Ends all of one's own sessions but this one. */
	endOthers: endpoint
		.meta({ access: 'member', isForSetUp: true })
		.route({ method: 'POST', path: '/api/sessions/end-others', summary: 'Sign all other devices out' })
		.input(z.object({}))
		.output(ended),
	/** NOT_FOUND without the person. */
	listOf: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/users/{id}/sessions', summary: "A person's devices" })
		.input(userIdInput.extend(page.shape))
		.output(sessionPage),
	/** NOT_FOUND for a session that is over, or not this person's. */
	endOf: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/users/{id}/sessions/{sessionId}', summary: "Sign a person's device out" })
		.input(z.object({ id: z.string(), sessionId: z.string() }))
		.output(z.object({})),
	/** An admin who does so to themselves stays signed in here. NOT_FOUND without the person. */
	endAllOf: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/users/{id}/sessions/end-all', summary: "Sign all of a person's devices out" })
		.input(userIdInput)
		.output(ended),
};
