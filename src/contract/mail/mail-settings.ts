import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { emailPattern } from '../core/text.ts';

const settings = z.object({
	/** Whether the owner is mailed about each new order. */
	isOrderMailed: z.boolean(),
	/** Whether admins are mailed about unread messages of members. */
	isChatMailed: z.boolean(),
	/** Recipient of both kinds of mail; '' for the first admin. */
	orderMailTo: z.string(),
	/** Name and address of the seller, as receipts show them. */
	seller: z.string(),
	version: z.number(),
});

export const mailSettings = {
	get: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/settings/mail', summary: 'Mails to the owner, and the seller on receipts' })
		.output(settings.extend({ /** Recipient while no address is set. */ firstAdmin: z.string() })),
	/** STALE, INVALID_INPUT with `fields`. */
	save: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/mail', summary: 'Save the mail settings' })
		.input(
			settings.extend({
				orderMailTo: z
					.string()
					.trim()
					.max(limits.emailMaxLength, 'error_field_too_long')
					.refine((text) => text === '' || emailPattern.test(text), 'error_email_format'),
				seller: z
					.string()
					.trim()
					.max(limits.orderNoteMaxLength, 'error_field_too_long')
					.refine((text) => !text.includes('\0'), 'error_invalid_input'),
				version: z.number().int(),
			}),
		)
		.output(z.object({ version: z.number() })),
};
