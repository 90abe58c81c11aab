import * as z from 'zod';
import { singleLineText } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { emailPattern } from '../core/text.ts';

const phoneMaxLength = 40;

/** The specification's `site/contactInfo`: how to reach the owner besides the chat; '' for a field that is not set. */
const contact = z.object({ email: z.string(), phone: z.string() });
export type ContactInfo = z.infer<typeof contact>;

export const noContactInfo: ContactInfo = { email: '', phone: '' };

export const contactInfo = {
	get: endpoint('member', 'GET /api/contact-info', 'Get the contact info of the owner').output(
		contact.extend({ version: z.number() }),
	),
	/** Saves the contact info, which open pages show at once. STALE, INVALID_INPUT with `fields`. */
	save: endpoint('admin', 'PUT /api/settings/contact-info', 'Save the contact info of the owner')
		.input(
			z.object({
				email: z
					.string()
					.trim()
					.max(limits.emailMaxLength, 'error_field_too_long')
					.refine((text) => text === '' || emailPattern.test(text), 'error_email_format'),
				phone: singleLineText.max(phoneMaxLength, 'error_field_too_long'),
				version: z.number().int(),
			}),
		)
		.output(z.object({ version: z.number() })),
};

/** The specification's `settings/dashboard`: whether the button opens Shared Folders (default) or the course. */
const dashboard = z.object({ showSharedFolders: z.boolean() });

export const dashboardSettings = {
	get: endpoint('member', 'GET /api/settings/dashboard', 'Get which screen the dashboard button opens').output(
		dashboard,
	),
	save: endpoint('admin', 'PUT /api/settings/dashboard', 'Set which screen the dashboard button opens')
		.input(dashboard)
		.output(dashboard),
};
