import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';

/** Result of a test mail: `file` when no SMTP is configured; `error` is the mail server's own message. */
const testMailResult = z.object({
	to: z.string(),
	result: z.enum(['sent', 'file', 'failed']),
	error: z.string().nullable(),
});
export type TestMailResult = z.infer<typeof testMailResult>;

export const mail = {
	/** Returns the state of outgoing mail; `file` means that no SMTP is configured and mails are saved as .eml files. */
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
	/** Sends a mail to the caller's own address; a failure to send is a result, not an error. */
	sendTest: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/outbox/test', summary: 'Send a test mail' })
		.output(testMailResult),
};
