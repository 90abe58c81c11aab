import * as z from 'zod';
import { emailForm } from '../core/email-form.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { plainLine } from '../core/page.ts';

const phoneMaxLength = 40;

/** The specification's `site/contactInfo`: how one reaches the owner beside the chat, on the storefront too; '' for what is not told. */
const contact = z.object({ email: z.string(), phone: z.string() });
export type ContactInfo = z.infer<typeof contact>;

export const noContactInfo: ContactInfo = { email: '', phone: '' };

export const contactInfo = {
	get: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/contact-info', summary: 'How to reach the owner' })
		.output(contact.extend({ version: z.number() })),
	/** STALE, INVALID_INPUT with `fields`. On open pages at once. */
	save: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/contact-info', summary: 'Save how to reach the owner' })
		.input(
			z.object({
				email: z
					.string()
					.trim()
					.max(limits.emailMaxLength, 'error_field_too_long')
					.refine((text) => text === '' || emailForm.test(text), 'error_email_format'),
				phone: plainLine.max(phoneMaxLength, 'error_field_too_long'),
				version: z.number().int(),
			}),
		)
		.output(z.object({ version: z.number() })),
};
