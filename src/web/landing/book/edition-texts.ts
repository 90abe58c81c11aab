import type { StorefrontBook } from '#contract/book/book-settings.ts';
import { editionWording } from '#contract/book/editions.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';

type Book = Pick<StorefrontBook, 'offered'>;

/** The sentence of the default terms about what the buyer pays for. */
export function termsPaymentText({ offered }: Book): string {
	return m.legal_terms_payment(editionWording(offered, getLocale()));
}

/** The line of an order and its receipt: `Build Your Empire, parts 1 and 2`. */
export function orderItemText({ offered }: Book, title: string): string {
	return m.mail_order_item({ ...editionWording(offered, getLocale()), title });
}
