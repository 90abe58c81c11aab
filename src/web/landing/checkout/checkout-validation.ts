import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import { type CheckoutField, checkoutFields } from '#contract/orders/checkout-form.ts';
import type { CheckoutTexts } from './checkout-texts.ts';

export type CheckoutErrors = Partial<Record<CheckoutField, string>>;

/** Repeats the rules of the contract's `checkoutInput`, because zod is larger than the page's whole script. */
export function validateField(field: CheckoutField, data: FormData, texts: Pick<CheckoutTexts, 'errors'>) {
	const { errors } = texts;
	const value = data.get(field);
	if (field === 'screenshot') return validateScreenshot(value instanceof File ? value : null, errors);
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return field === 'utr' ? undefined : errors.required;
	if (text.length > (field === 'email' ? limits.emailMaxLength : limits.checkoutTextMaxLength)) return errors.tooLong;
	if (field === 'email' && !emailPattern.test(text)) return errors.emailForm;
	return undefined;
}

export function validateCheckout(data: FormData, texts: Pick<CheckoutTexts, 'errors'>): CheckoutErrors {
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

/** An unset file input yields an empty file without a name. If a phone reports no type, only the server checks it. */
function validateScreenshot(file: File | null, errors: CheckoutTexts['errors']): string | undefined {
	if (!file || (file.name === '' && file.size === 0)) return errors.screenshotRequired;
	if (file.size === 0 || (file.type !== '' && !file.type.startsWith('image/'))) return errors.screenshotNotImage;
	if (file.size > limits.screenshotMaxBytes) return errors.screenshotTooLarge;
	return undefined;
}
