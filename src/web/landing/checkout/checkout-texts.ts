import type { PublicBook } from '#contract/book/book-settings.ts';
import type { Locale } from '#contract/core/text.ts';
import type { StorefrontContact } from '#contract/storefront/storefront-settings.ts';
import { m } from '#messages';
import { contactLink } from '../page/site-details.ts';
import { formatRupees } from '../sections/prices.tsx';

/**
 * Every sentence that the purchase block may show, in the page's language only. The server draws with it and hands it
 * over as data, so that the browser's script carries no message files and formats no money.
 */
export type CheckoutTexts = ReturnType<typeof checkoutTexts>;

/** Whether the page shows a QR, the owner's or a drawn one. */
export function canPayByQr(book: PublicBook): boolean {
	return book.qrCodeUrl !== null || (book.upi.id !== '' && book.discountedPrice > 0);
}

/** Whether the page names an account. */
export function canPayByBank({ bank }: PublicBook): boolean {
	return Object.values(bank).some((value) => value.trim() !== '');
}

/** The texts of the field for a payment's reference, on every page that has it. */
export function utrTexts(locale: Locale) {
	const inLocale = { locale };
	return {
		label: m.landing_field_utr({}, inLocale),
		placeholder: m.landing_placeholder_utr({}, inLocale),
		hint: m.landing_field_utr_hint({}, inLocale),
	};
}

export function checkoutTexts(locale: Locale, book: PublicBook, contact: StorefrontContact) {
	const inLocale = { locale };
	const price = formatRupees(book.discountedPrice);
	const upiId = m.landing_field_upi({}, inLocale);
	const amount = m.landing_amount({}, inLocale);
	return {
		price,
		pay: m.landing_step_pay({}, inLocale),
		qrTitle: m.landing_qr_title({}, inLocale),
		qrText: m.landing_qr_text({ price }, inLocale),
		qrAlt: m.landing_qr_alt({ price }, inLocale),
		payNow: m.landing_pay_now({ price }, inLocale),
		upiId,
		copyUpiId: m.landing_copy({ what: upiId }, inLocale),
		amount,
		copyAmount: m.landing_copy({ what: amount }, inLocale),
		inApp: m.landing_in_app({}, inLocale),
		bankTitle: canPayByQr(book) ? m.landing_bank_title_or({}, inLocale) : m.landing_bank_title({}, inLocale),
		bank: {
			name: m.landing_bank_name({}, inLocale),
			accountNumber: m.landing_bank_account({}, inLocale),
			ifsc: m.landing_bank_ifsc({}, inLocale),
			accountHolder: m.landing_bank_holder({}, inLocale),
		},
		bankNote: m.landing_bank_note({ price }, inLocale),
		copy: {
			name: m.landing_copy({ what: m.landing_bank_name({}, inLocale) }, inLocale),
			accountNumber: m.landing_copy({ what: m.landing_bank_account({}, inLocale) }, inLocale),
			ifsc: m.landing_copy({ what: m.landing_bank_ifsc({}, inLocale) }, inLocale),
			accountHolder: m.landing_copy({ what: m.landing_bank_holder({}, inLocale) }, inLocale),
		},
		copied: m.landing_copied({}, inLocale),
		copyFailed: m.landing_copy_failed({}, inLocale),
		noPaymentTitle: m.landing_no_payment_title({}, inLocale),
		noPaymentText: m.landing_no_payment_text({}, inLocale),
		noPaymentAsk: m.landing_no_payment_ask({}, inLocale),
		reach: contactLink(locale, contact),
		fields: {
			name: {
				label: m.landing_field_name({}, inLocale),
				placeholder: m.landing_placeholder_name({}, inLocale),
				hint: '',
			},
			phone: {
				label: m.landing_field_phone({}, inLocale),
				placeholder: m.landing_placeholder_phone({}, inLocale),
				hint: '',
			},
			email: {
				label: m.landing_field_email({}, inLocale),
				placeholder: m.landing_placeholder_email({}, inLocale),
				hint: m.landing_field_email_hint({}, inLocale),
			},
			upiId: {
				label: m.landing_field_upi({}, inLocale),
				placeholder: m.landing_placeholder_upi({}, inLocale),
				hint: canPayByBank(book) ? m.landing_field_upi_hint_bank({}, inLocale) : m.landing_field_upi_hint({}, inLocale),
			},
			utr: utrTexts(locale),
		},
		screenshot: {
			label: m.landing_field_screenshot({}, inLocale),
			choose: m.landing_screenshot_choose({}, inLocale),
			drop: m.landing_screenshot_drop({}, inLocale),
			hint: m.landing_screenshot_hint({}, inLocale),
			replace: m.landing_screenshot_replace({}, inLocale),
			alt: m.landing_screenshot_alt({}, inLocale),
			kilobytes: m.landing_size_kb({ size: '{size}' }, inLocale),
			megabytes: m.landing_size_mb({ size: '{size}' }, inLocale),
		},
		submit: m.landing_submit({}, inLocale),
		submitting: m.landing_submitting({}, inLocale),
		submitNote: m.landing_submit_note({}, inLocale),
		failed: m.error_checkout({}, inLocale),
		kept: m.landing_checkout_kept({}, inLocale),
		chooseAgain: m.landing_checkout_choose_again({}, inLocale),
		doneTitle: m.landing_done_title({}, inLocale),
		doneCode: m.landing_done_code({}, inLocale),
		doneText: m.landing_done_text({}, inLocale),
		doneStatus: m.landing_done_status({}, inLocale),
		doneLogin: m.landing_done_login({}, inLocale),
		doneAgain: m.landing_done_again({}, inLocale),
		toastClose: m.landing_toast_close({}, inLocale),
		errors: {
			required: m.error_field_required({}, inLocale),
			tooLong: m.error_field_too_long({}, inLocale),
			emailForm: m.error_email_format({}, inLocale),
			screenshotRequired: m.error_screenshot_required({}, inLocale),
			screenshotNotImage: m.error_screenshot_not_image({}, inLocale),
			screenshotTooLarge: m.error_screenshot_too_large({}, inLocale),
		},
	};
}
