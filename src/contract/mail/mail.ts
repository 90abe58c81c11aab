import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';

/** How a test mail went: `file` when no SMTP is set; `error` in the server's own words. */
const testMailResult = z.object({
	to: z.string(),
	result: z.enum(['sent', 'file', 'failed']),
	error: z.string().nullable(),
});
export type TestMailResult = z.infer<typeof testMailResult>;

export const mail = {
	/** Whether mail leaves the house: `file` means no SMTP is set and mails are kept as .eml files. */
	status: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/outbox/status', summary: 'Mails waiting, failed and not sent' })
		.output(
			z.object({
				transport: z.enum(['smtp', 'file']),
				waiting: z.number(),
				notSent: z.number(),
				lastError: z.string().nullable(),
			}),
		),
	/** To the caller's own address. A mail that cannot be sent is an answer too. */
	sendTest: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/outbox/test', summary: 'Send a test mail' })
		.output(testMailResult),
};
