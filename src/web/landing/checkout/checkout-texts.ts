import type { PublicBook, UtrRequest } from '#contract/book/book-settings.ts';
import type { StorefrontContact } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { formatMoney } from '#shared/numbers.ts';
import { contactLink } from '../page/footer.tsx';

/** The page contains the texts as data, so that the script needs no message files and no price formatting. */
export type CheckoutTexts = ReturnType<typeof checkoutTexts>;

/** The QR code is uploaded by the owner or generated from the UPI ID. */
export function canPayByQr(book: PublicBook): boolean {
	return book.qrCodeUrl !== null || (book.upi.id !== '' && book.discountedPrice > 0);
}

export function canPayByBank({ bank }: PublicBook): boolean {
	return Object.values(bank).some((value) => value.trim() !== '');
}

export function utrTexts(request: UtrRequest) {
	const isRequired = request === 'required';
	return {
		label: request === 'optional' ? m.landing_field_utr_optional() : m.landing_field_utr(),
		placeholder: isRequired ? m.landing_placeholder_utr_required() : m.landing_placeholder_utr(),
		hint: request === 'wanted' ? m.landing_field_utr_hint_wanted() : m.landing_field_utr_hint(),
		isRequired,
	};
}

export function checkoutTexts(book: PublicBook, contact: StorefrontContact) {
	const price = formatMoney(book.discountedPrice);
	return {
		price,
		pay: m.landing_step_pay(),
		qrTitle: m.landing_qr_title(),
		qrText: m.landing_qr_text({ price }),
		qrAlt: m.landing_qr_alt({ price }),
		payNow: m.landing_pay_now({ price }),
		upiId: m.landing_field_upi(),
		amount: m.landing_amount(),
		inApp: m.landing_in_app(),
		bankTitle: canPayByQr(book) ? m.landing_bank_title_or() : m.landing_bank_title(),
		bank: {
			name: m.landing_bank_name(),
			accountNumber: m.landing_bank_account(),
			ifsc: m.landing_bank_ifsc(),
			accountHolder: m.landing_bank_holder(),
		},
		bankNote: m.landing_bank_note({ price }),
		copy: m.landing_copy({ what: '{what}' }),
		copied: m.landing_copied(),
		copyFailed: m.landing_copy_failed(),
		noPaymentTitle: m.landing_no_payment_title(),
		noPaymentText: m.landing_no_payment_text(),
		noPaymentAsk: m.landing_no_payment_ask(),
		reach: contactLink(contact),
		fields: {
			name: { label: m.landing_field_name(), placeholder: m.landing_placeholder_name(), hint: '' },
			phone: { label: m.landing_field_phone(), placeholder: m.landing_placeholder_phone(), hint: '' },
			email: {
				label: m.landing_field_email(),
				placeholder: m.landing_placeholder_email(),
				hint: contact.sendsMail ? m.landing_field_email_hint() : m.landing_field_email_hint_without_mail(),
			},
			upiId: {
				label: m.landing_field_upi(),
				placeholder: m.landing_placeholder_upi(),
				hint: canPayByBank(book) ? m.landing_field_upi_hint_bank() : m.landing_field_upi_hint(),
			},
			utr: utrTexts(book.utrRequest),
		},
		screenshot: {
			label: m.landing_field_screenshot(),
			choose: m.landing_screenshot_choose(),
			drop: m.landing_screenshot_drop(),
			hint: m.landing_screenshot_hint(),
			replace: m.landing_screenshot_replace(),
			alt: m.landing_screenshot_alt(),
		},
		submit: m.landing_submit(),
		submitting: m.landing_submitting(),
		submitNote: m.landing_submit_note(),
		failed: m.error_checkout(),
		kept: m.landing_checkout_kept(),
		unreachable: m.landing_checkout_unreachable(),
		chooseAgain: m.landing_checkout_choose_again(),
		doneTitle: m.landing_done_title(),
		doneCode: m.landing_done_code(),
		doneText: contact.sendsMail ? m.landing_done_text() : m.landing_done_text_without_mail(),
		doneStatus: m.landing_done_status(),
		doneLogin: m.landing_done_login(),
		doneAgain: m.landing_done_again(),
		toastClose: m.landing_toast_close(),
		errors: {
			required: m.error_field_required(),
			tooLong: m.error_field_too_long(),
			emailForm: m.error_email_format(),
			screenshotRequired: m.error_screenshot_required(),
			screenshotNotImage: m.error_screenshot_not_image(),
			screenshotTooLarge: m.error_screenshot_too_large(),
		},
	};
}
