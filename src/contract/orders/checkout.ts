import * as z from 'zod';
import { trimmedText } from '../core/common-fields.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { emailPattern } from '../core/text.ts';
import type { SubmittedOrder } from '../storefront/landing.ts';

const optionalText = trimmedText(limits.checkoutTextMaxLength);
const requiredText = optionalText.min(1, 'error_field_required');

/** The text fields of a purchase; unusual phones and UPI ids are accepted. Source: the specification's section 5. */
export const checkoutInput = z.object({
	name: requiredText,
	phone: requiredText,
	/** Normalised, as mail programs do. Otherwise an account with a look-alike address could get another user's mail. */
	email: z
		.string()
		.normalize('NFKC')
		.trim()
		.min(1, 'error_field_required')
		.max(limits.emailMaxLength, 'error_field_too_long')
		.regex(emailPattern, 'error_email_format'),
	upiId: requiredText,
	utr: optionalText.default(''),
});

export const checkoutErrors = defineErrors({
	PURCHASE_INVALID: { status: 422, messageKey: 'error_checkout' },
	PURCHASE_FAILED: { status: 500, messageKey: 'error_checkout' },
	TOO_MANY_PURCHASES: { status: 429, messageKey: 'error_too_many_checkouts' },
});

/** JSON response of a purchase, the same for a new and a known email address. */
export interface CheckoutAnswer extends SubmittedOrder {
	message: string;
}
