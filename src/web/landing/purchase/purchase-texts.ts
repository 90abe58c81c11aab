import type { PublicBook } from '#contract/settings/book-settings.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { StorefrontContact } from '#contract/storefront/storefront-settings.ts';
import { m } from '#messages';
import { formatRupees } from '../price.ts';
import { reachOf } from '../reach.ts';

/**
 * Every sentence that the purchase block may show, in the page's language only. The server draws with it and hands it
 * over as data, so that the browser's script carries no message files and formats no money.
 */
export type PurchaseTexts = ReturnType<typeof purchaseTexts>;

/** Whether the page shows a QR, the owner's or a drawn one. */
export function canPayByQr(book: PublicBook): boolean {
	return book.qrCodeUrl !== null || (book.upi.id !== '' && book.discountedPrice > 0);
}

/** Whether the page names an account. */
export function canPayByBank({ bank }: PublicBook): boolean {
	return Object.values(bank).some((value) => value.trim() !== '');
}

/** The words of the field for a payment's reference, wherever it stands. */
export function utrTexts(locale: Locale) {
	const say = { locale };
	return {
		label: m.landing_field_utr({}, say),
		placeholder: m.landing_placeholder_utr({}, say),
		hint: m.landing_field_utr_hint({}, say),
	};
}

export function purchaseTexts(locale: Locale, book: PublicBook, contact: StorefrontContact) {
	const say = { locale };
	const price = formatRupees(book.discountedPrice);
	const upiId = m.landing_field_upi({}, say);
	const amount = m.landing_amount({}, say);
	return {
		price,
		pay: m.landing_step_pay({}, say),
		qrTitle: m.landing_qr_title({}, say),
		qrText: m.landing_qr_text({ price }, say),
		qrAlt: m.landing_qr_alt({ price }, say),
		payNow: m.landing_pay_now({ price }, say),
		upiId,
		copyUpiId: m.landing_copy({ what: upiId }, say),
		amount,
		copyAmount: m.landing_copy({ what: amount }, say),
		inApp: m.landing_in_app({}, say),
		bankTitle: canPayByQr(book) ? m.landing_bank_title_or({}, say) : m.landing_bank_title({}, say),
		bank: {
			name: m.landing_bank_name({}, say),
			accountNumber: m.landing_bank_account({}, say),
			ifsc: m.landing_bank_ifsc({}, say),
			accountHolder: m.landing_bank_holder({}, say),
		},
		bankNote: m.landing_bank_note({ price }, say),
		copy: {
			name: m.landing_copy({ what: m.landing_bank_name({}, say) }, say),
			accountNumber: m.landing_copy({ what: m.landing_bank_account({}, say) }, say),
			ifsc: m.landing_copy({ what: m.landing_bank_ifsc({}, say) }, say),
			accountHolder: m.landing_copy({ what: m.landing_bank_holder({}, say) }, say),
		},
		copied: m.landing_copied({}, say),
		copyFailed: m.landing_copy_failed({}, say),
		noPaymentTitle: m.landing_no_payment_title({}, say),
		noPaymentText: m.landing_no_payment_text({}, say),
		noPaymentAsk: m.landing_no_payment_ask({}, say),
		reach: reachOf(locale, contact),
		fields: {
			name: { label: m.landing_field_name({}, say), placeholder: m.landing_placeholder_name({}, say), hint: '' },
			phone: { label: m.landing_field_phone({}, say), placeholder: m.landing_placeholder_phone({}, say), hint: '' },
			email: {
				label: m.landing_field_email({}, say),
				placeholder: m.landing_placeholder_email({}, say),
				hint: m.landing_field_email_hint({}, say),
			},
			upiId: {
				label: m.landing_field_upi({}, say),
				placeholder: m.landing_placeholder_upi({}, say),
				hint: canPayByBank(book) ? m.landing_field_upi_hint_bank({}, say) : m.landing_field_upi_hint({}, say),
			},
			utr: utrTexts(locale),
		},
		screenshot: {
			label: m.landing_field_screenshot({}, say),
			choose: m.landing_screenshot_choose({}, say),
			drop: m.landing_screenshot_drop({}, say),
			hint: m.landing_screenshot_hint({}, say),
			replace: m.landing_screenshot_replace({}, say),
			alt: m.landing_screenshot_alt({}, say),
			kilobytes: m.landing_size_kb({ size: '{size}' }, say),
			megabytes: m.landing_size_mb({ size: '{size}' }, say),
		},
		submit: m.landing_submit({}, say),
		submitting: m.landing_submitting({}, say),
		submitNote: m.landing_submit_note({}, say),
		failed: m.error_purchase({}, say),
		kept: m.landing_purchase_kept({}, say),
		chooseAgain: m.landing_purchase_choose_again({}, say),
		doneTitle: m.landing_done_title({}, say),
		doneCode: m.landing_done_code({}, say),
		doneText: m.landing_done_text({}, say),
		doneStatus: m.landing_done_status({}, say),
		doneLogin: m.landing_done_login({}, say),
		doneAgain: m.landing_done_again({}, say),
		toastClose: m.landing_toast_close({}, say),
		errors: {
			required: m.error_field_required({}, say),
			tooLong: m.error_field_too_long({}, say),
			emailForm: m.error_email_format({}, say),
			screenshotRequired: m.error_screenshot_required({}, say),
			screenshotNotImage: m.error_screenshot_not_image({}, say),
			screenshotTooLarge: m.error_screenshot_too_large({}, say),
		},
	};
}
