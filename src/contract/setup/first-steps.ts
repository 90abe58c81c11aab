import * as z from 'zod';
import { command, endpoint } from '../core/endpoint.ts';

/**
 * What a new owner sets up before the first sale. `missing`: needed to sell. `optional`: recommended. `reason`: what is
 * missing, or what to do next; null when done. `value`: the caller's email, the sender of mails or the mail server's
 * error, the problem of an edition's file, the public address, or the time of the last backup.
 */
export const firstStep = z.object({
	key: z.enum(['login', 'mail', 'book', 'payment', 'edition', 'storefront', 'address', 'backup']),
	state: z.enum(['done', 'missing', 'optional']),
	reason: z
		.enum([
			'first-login',
			'no-server',
			'untested',
			'failed',
			'refused',
			'not-saved',
			'no-payment',
			'half-bank',
			'no-file',
			'not-assigned',
			'unusable',
			'default-content',
			'not-https',
			'no-backup',
		])
		.nullable(),
	value: z.string().nullable(),
});
export type FirstStep = z.infer<typeof firstStep>;

export const firstSteps = {
	get: endpoint('admin', 'GET /api/first-steps', 'List the first steps, with what is missing for selling').output(
		z.object({
			steps: z.array(firstStep),
			/** The folder in which the server runs, with its file .env. */
			folder: z.string(),
			/** Whether an admin has dismissed the list, for all admins. */
			isDismissed: z.boolean(),
		}),
	),
	/** Absent fields stay unchanged. */
	save: command(
		'admin',
		'PUT /api/first-steps',
		'Dismiss or reopen the first steps, or keep the default storefront',
	).input(z.object({ isDismissed: z.boolean().optional(), isDefaultContentKept: z.boolean().optional() })),
};
