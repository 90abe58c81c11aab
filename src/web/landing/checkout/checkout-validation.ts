import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import { type CheckoutField, checkoutFields } from '#contract/orders/checkout-form.ts';
import type { CheckoutTexts } from './checkout-texts.ts';

export type CheckoutErrors = Partial<Record<CheckoutField, string>>;

type ValidationTexts = Pick<CheckoutTexts, 'errors' | 'fields'>;

/**
 * Must match the contract's `checkoutInput` and, for the reference, the book settings. Zod is not used, because it is
 * larger than the page's whole script.
 */
export function validateField(field: CheckoutField, data: FormData, { errors, fields }: ValidationTexts) {
	const value = data.get(field);
	if (field === 'screenshot') return validateScreenshot(value instanceof File ? value : null, errors);
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return field === 'utr' && !fields.utr.isRequired ? undefined : errors.required;
	if (text.length > (field === 'email' ? limits.emailMaxLength : limits.checkoutTextMaxLength)) return errors.tooLong;
	if (field === 'email' && !emailPattern.test(text)) return errors.emailForm;
	return undefined;
}

export function validateCheckout(data: FormData, texts: ValidationTexts): CheckoutErrors {
	return collectErrors((field) => validateField(field, data, texts));
}

export function collectErrors(errorOf: (field: CheckoutField) => string | undefined): CheckoutErrors {
	const errors: CheckoutErrors = {};
	for (const field of checkoutFields) {
		const error = errorOf(field);
		if (error !== undefined) errors[field] = error;
	}
	return errors;
}

/** Without a choice, the browser sends an empty file without a name. Some phones report no type. */
function validateScreenshot(file: File | null, errors: CheckoutTexts['errors']): string | undefined {
	if (!file || (file.name === '' && file.size === 0)) return errors.screenshotRequired;
	if (file.size === 0 || (file.type !== '' && !file.type.startsWith('image/'))) return errors.screenshotNotImage;
	if (file.size > limits.screenshotMaxBytes) return errors.screenshotTooLarge;
	return undefined;
}
