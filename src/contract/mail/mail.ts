import * as z from 'zod';
import { cursor, pageOf, pageSize, recordId, timestamp, trimmedText } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
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

/** `file`: written to a file, because no SMTP was configured. `failed`: refused by the mail server. */
const unsentMail = z.object({
	id: z.string(),
	kind: z.string(),
	to: z.string(),
	/** When the mail was due. */
	at: timestamp,
	state: z.enum(['file', 'failed']),
	/** The mail server's own message. */
	error: z.string().nullable(),
	/** Whether the mail has a link to set a password. */
	hasLoginLink: z.boolean(),
	/** False for a mail whose content was erased. */
	canSendAgain: z.boolean(),
});
export type UnsentMail = z.infer<typeof unsentMail>;

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
	/** Lists the mails that were not sent, newest first. */
	listUnsent: endpoint('admin', 'GET /api/outbox/unsent', 'List the mails that were not sent')
		.input(z.object({ cursor, limit: pageSize }))
		.output(pageOf(unsentMail)),
	/**
	 * Sends an unsent mail again. A mail with a login is replaced by a new mail with a new link. NOT_FOUND,
	 * RECIPIENT_UNKNOWN, LOGIN_NOT_OPEN, TOO_MANY_RESETS.
	 */
	sendAgain: command('admin', 'POST /api/outbox/{id}/send', 'Send an unsent mail again').input(
		z.object({ id: recordId }),
	),
	/**
	 * Creates a link that sets the recipient's password once, to be given to the recipient by other means. NOT_FOUND,
	 * RECIPIENT_UNKNOWN, LOGIN_NOT_OPEN, FORBIDDEN for the account of an admin.
	 */
	createLoginLink: endpoint('admin', 'POST /api/outbox/{id}/login-link', 'Create a login link for the recipient')
		.input(z.object({ id: recordId }))
		.output(z.object({ url: z.string() })),
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
