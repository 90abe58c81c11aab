import { emailForm } from '#contract/core/email-form.ts';
import { limits } from '#contract/core/limits.ts';
import { type PurchaseField, purchaseFields } from '#contract/storefront/purchase-form.ts';
import type { PurchaseTexts } from './purchase-texts.ts';

export type PurchaseErrors = Partial<Record<PurchaseField, string>>;

/**
 * The sentence for one field in error, or undefined. The same rules as the contract's `purchase` schema (section 5 of
 * the specification), repeated by hand because the schema's library would weigh more than the page's whole script.
 */
export function checkField(
	field: PurchaseField,
	data: FormData,
	{ errors }: Pick<PurchaseTexts, 'errors'>,
): string | undefined {
	const value = data.get(field);
	if (field === 'screenshot') return checkScreenshot(value instanceof File ? value : null, errors);
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return field === 'utr' ? undefined : errors.required;
	if (text.length > (field === 'email' ? limits.emailMaxLength : limits.purchaseTextMaxLength)) return errors.tooLong;
	if (field === 'email' && !emailForm.test(text)) return errors.emailForm;
	return undefined;
}

/** The errors of the whole form, in the order of its fields. */
export function checkPurchase(data: FormData, texts: Pick<PurchaseTexts, 'errors'>): PurchaseErrors {
	const found = purchaseFields.flatMap((field): [PurchaseField, string][] => {
		const error = checkField(field, data, texts);
		return error === undefined ? [] : [[field, error]];
	});
	return Object.fromEntries(found);
}

/** An unset file input counts as an empty file without a name. Some phones name no type: the server looks then. */
function checkScreenshot(file: File | null, errors: PurchaseTexts['errors']): string | undefined {
	if (!file || (file.name === '' && file.size === 0)) return errors.screenshotRequired;
	if (file.size === 0 || (file.type !== '' && !file.type.startsWith('image/'))) return errors.screenshotNotImage;
	if (file.size > limits.screenshotMaxBytes) return errors.screenshotTooLarge;
	return undefined;
}
