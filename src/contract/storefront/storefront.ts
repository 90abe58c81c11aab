import * as z from 'zod';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { emailForm } from '../core/page.ts';

/** Where the purchase form posts (multipart/form-data). `Accept: application/json` answers JSON, else HTML or a redirect. */
export const purchasePath = '/purchase';

/** Field names of the purchase form, in their order on the page. */
export const purchaseFields = ['name', 'phone', 'email', 'upiId', 'screenshot'] as const;
export type PurchaseField = (typeof purchaseFields)[number];

const requiredText = z.string().trim().min(1, 'error_field_required').max(limits.textMaxLength, 'error_field_too_long');

/**
 * The text fields of a purchase; messages are keys of the message files. Odd phones and UPI ids are accepted on purpose.
 * Source: the specification's section 5.
 */
export const purchase = z.object({
	name: requiredText,
	phone: requiredText,
	email: z
		.string()
		.trim()
		.min(1, 'error_field_required')
		.max(limits.emailMaxLength, 'error_field_too_long')
		.regex(emailForm, 'error_email_format'),
	upiId: requiredText,
});

export const screenshotTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

export const storefrontErrors = defineErrors({
	PURCHASE_INVALID: { status: 422, text: 'error_purchase' },
	PURCHASE_FAILED: { status: 500, text: 'error_purchase' },
	TOO_MANY_PURCHASES: { status: 429, text: 'error_too_many_purchases' },
});

/** JSON answer of a purchase, the same for a new and a known address. */
export interface PurchaseAnswer {
	message: string;
}
