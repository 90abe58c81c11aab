import * as z from 'zod';
import { cursor, device, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';

/** One sign-in. Field names are those of the specification's section 3; `device` is added. */
export const loginEntry = z.object({
	id: z.string(),
	lastLogin: timestamp,
	/** Number of this sign-in among those of the user, counted from 1. */
	loginCount: z.number(),
	/** The User-Agent header as it was sent. */
	browserInfo: z.string(),
	ipAddresses: z.array(z.object({ ip: z.string(), loginNumber: z.number(), timestamp })),
	/** Browser and system that `browserInfo` names, in readable form. */
	device,
});
export type LoginEntry = z.infer<typeof loginEntry>;

export const history = {
	/** NOT_FOUND for an address without an account. */
	list: endpoint('admin', 'GET /api/login-history', 'List the sign-ins of a user, newest first')
		.input(z.object({ email: z.string().max(limits.textMaxLength, 'error_field_too_long'), cursor, limit: pageSize }))
		.output(
			z.object({
				person: z.object({
					id: z.string(),
					email: z.string(),
					name: z.string().nullable(),
					active: z.boolean(),
					loginCount: z.number(),
				}),
				items: z.array(loginEntry),
				nextCursor: z.string().nullable(),
			}),
		),
};
