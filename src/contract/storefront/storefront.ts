import * as z from 'zod';
import { emailForm } from '../core/email-form.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { MadeOrder } from './landing.ts';

/** In a file without zod, so that the landing page's small script can use it. */
export { type PurchaseField, purchaseFields, purchasePath } from './purchase-form.ts';

/** NUL is refused: PostgreSQL keeps no text with it. */
const requiredText = z
	.string()
	.trim()
	.min(1, 'error_field_required')
	.max(limits.purchaseTextMaxLength, 'error_field_too_long')
	.refine((text) => !text.includes('\0'), 'error_invalid_input');

/**
 * The text fields of a purchase; messages are keys of the message files. Odd phones and UPI ids are accepted on purpose.
 * Source: the specification's section 5.
 */
export const purchase = z.object({
	name: requiredText,
	phone: requiredText,
	/** In the form that mail programs know: an account at a look-alike of somebody's address would get their mail. */
	email: z
		.string()
		.normalize('NFKC')
		.trim()
		.min(1, 'error_field_required')
		.max(limits.emailMaxLength, 'error_field_too_long')
		.regex(emailForm, 'error_email_format'),
	upiId: requiredText,
	/** The payment's reference. */
	utr: z
		.string()
		.trim()
		.max(limits.purchaseTextMaxLength, 'error_field_too_long')
		.refine((text) => !text.includes('\0'), 'error_invalid_input')
		.default(''),
});

export const storefrontErrors = defineErrors({
	PURCHASE_INVALID: { status: 422, text: 'error_purchase' },
	PURCHASE_FAILED: { status: 500, text: 'error_purchase' },
	TOO_MANY_PURCHASES: { status: 429, text: 'error_too_many_purchases' },
});

/** JSON answer of a purchase, the same for a new and a known address. */
export interface PurchaseAnswer extends MadeOrder {
	message: string;
}
