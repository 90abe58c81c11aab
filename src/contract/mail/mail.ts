import * as z from 'zod';
import { trimmedText } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { canReceiveMail, emailPattern } from '../core/text.ts';

/**
 * Result of a test mail. `file`: no SMTP is configured. `refused`: the server did not accept the mail, for example because
 * of its sender. `failed`: no connection or sign-in. `error` is the mail server's own message.
 */
const testMailResult = z.object({
	to: z.string(),
	result: z.enum(['sent', 'file', 'failed', 'refused']),
	error: z.string().nullable(),
});
export type TestMailResult = z.infer<typeof testMailResult>;

export const mail = {
	/** Returns the state of outgoing mail; `file` means that no SMTP is configured and mails are saved as .eml files. */
	status: endpoint('admin', 'GET /api/outbox/status', 'Get the state of outgoing mail').output(
		z.object({
			transport: z.enum(['smtp', 'file']),
			/** Name and address of the sender of mails. */
			sender: z.string(),
			waiting: z.number(),
			notSent: z.number(),
			lastError: z.string().nullable(),
		}),
	),
	/** Sends a mail at once; a failure to send is a result, not an error. INVALID_INPUT with `fields`. */
	sendTest: endpoint('admin', 'POST /api/outbox/test', 'Send a test mail')
		.input(
			z.object({
				to: z
					.string()
					.trim()
					.max(limits.emailMaxLength, 'error_field_too_long')
					.regex(emailPattern, 'error_email_format')
					.refine(canReceiveMail, 'error_email_unreachable'),
			}),
		)
		.output(testMailResult),
};

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
	get: endpoint('admin', 'GET /api/settings/mail', 'Get the mail settings').output(
		settings.extend({ /** Recipient while no address is set. */ firstAdmin: z.string() }),
	),
	/** STALE, INVALID_INPUT with `fields`. */
	save: endpoint('admin', 'PUT /api/settings/mail', 'Save the mail settings')
		.input(
			settings.extend({
				orderMailTo: z
					.string()
					.trim()
					.max(limits.emailMaxLength, 'error_field_too_long')
					.refine((text) => text === '' || emailPattern.test(text), 'error_email_format'),
				seller: trimmedText(limits.orderNoteMaxLength),
				version: z.number().int(),
			}),
		)
		.output(z.object({ version: z.number() })),
};
