import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';

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
};
