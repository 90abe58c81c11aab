import * as z from 'zod';
import { cursor, device, pageOf, pageSize, timestamp, typedEmail } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { userSummary } from './administration.ts';

/** One sign-in: the fields of the specification's section 3, and `device`. */
export const loginEntry = z.object({
	id: z.string(),
	lastLogin: timestamp,
	/** Number of this sign-in among the user's sign-ins, from 1. */
	loginCount: z.number(),
	/** The User-Agent header as it was sent. */
	browserInfo: z.string(),
	ipAddresses: z.array(z.object({ ip: z.string(), loginNumber: z.number(), timestamp })),
	/** Browser and system, parsed from `browserInfo`. */
	device,
});
export type LoginEntry = z.infer<typeof loginEntry>;

export const history = {
	/** NOT_FOUND for an address without an account. */
	list: endpoint('admin', 'GET /api/login-history', 'List the sign-ins of a user, newest first')
		.input(z.object({ email: typedEmail, cursor, limit: pageSize }))
		.output(
			pageOf(loginEntry, {
				person: userSummary.pick({ id: true, email: true, name: true, active: true, loginCount: true }),
			}),
		),
};
