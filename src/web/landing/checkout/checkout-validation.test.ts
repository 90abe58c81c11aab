import { describe, expect, it } from 'vitest';
import { bookDefaults, type UtrRequest } from '#contract/book/book-settings.ts';
import { checkoutInput } from '#contract/orders/checkout.ts';
import { noContactInfo } from '#contract/settings/site-settings.ts';
import { checkoutTexts } from './checkout-texts.ts';
import { validateCheckout } from './checkout-validation.ts';

const textsOf = (utrRequest: UtrRequest) =>
	checkoutTexts({ ...bookDefaults, utrRequest }, { socialLinks: [], chatUrl: '', sendsMail: true, ...noContactInfo });
const texts = textsOf('wanted');
const picture = new File(['x'], 'receipt.png', { type: 'image/png' });

function filled(changes: Record<string, string | File> = {}): FormData {
	const data = new FormData();
	const values = { name: 'Meera', phone: '98230', email: 'meera@example.in', upiId: 'meera@bank', screenshot: picture };
	for (const [name, value] of Object.entries({ ...values, ...changes })) data.set(name, value);
	return data;
}

describe('validateCheckout', () => {
	it('accepts a complete form with an unusual phone number and UPI ID', () => {
		expect(validateCheckout(filled({ phone: 'call my aunt', upiId: '🙂' }), texts)).toEqual({});
	});

	it.each(['meera', 'meera@', 'meera@example', 'a b@example.in', 'a@b@example.in', `${'x'.repeat(250)}@a.in`, ''])(
		'rejects the email %j, as the contract does',
		(email) => {
			const byContract = checkoutInput.safeParse({ name: 'a', phone: 'b', email, upiId: 'c' }).success;
			expect(byContract).toBe(false);
			expect(validateCheckout(filled({ email }), texts).email).toBeDefined();
		},
	);

	it.each([
		['optional', undefined],
		['wanted', undefined],
		['required', 'Please fill in this field.'],
	] as const)('returns for a missing reference that is %s: %s', (utrRequest, error) => {
		expect(validateCheckout(filled({ utr: ' ' }), textsOf(utrRequest)).utr).toBe(error);
		expect(validateCheckout(filled({ utr: '532411870926' }), textsOf(utrRequest)).utr).toBeUndefined();
	});

	it('rejects a screenshot that is not an image, is empty or is too large', () => {
		const { errors } = texts;
		const check = (file: File) => validateCheckout(filled({ screenshot: file }), texts).screenshot;
		expect(check(new File(['x'], 'a.pdf', { type: 'application/pdf' }))).toBe(errors.screenshotNotImage);
		expect(check(new File([], 'a.png', { type: 'image/png' }))).toBe(errors.screenshotNotImage);
		const large = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'a.png', { type: 'image/png' });
		expect(check(large)).toBe(errors.screenshotTooLarge);
		expect(check(new File(['x'], 'camera', { type: '' }))).toBeUndefined();
	});
});
