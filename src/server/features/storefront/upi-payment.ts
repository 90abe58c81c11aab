import type { PublicBook } from '#contract/settings/book-settings.ts';
import type { UpiPayment } from '#contract/storefront/landing.ts';
import { drawQr } from '../../platform/qr.ts';

const noteMaxLength = 50;

/** How to pay the book's price of this moment by UPI; null without a payee, and when there is nothing to pay. */
export function upiPaymentOf(book: PublicBook): UpiPayment | null {
	if (book.upi.id === '' || book.discountedPrice <= 0) return null;
	const link = upiLinkOf(book);
	return { link, qr: drawQr(link) };
}

/** `upi://pay` with payee and amount. Source: NPCI, UPI Linking Specifications 1.6. */
function upiLinkOf({ upi, discountedPrice, title }: PublicBook): string {
	const fields = [
		['pa', upi.id],
		['pn', upi.name],
		['am', discountedPrice.toFixed(2)],
		['cu', 'INR'],
		['tn', [...title].slice(0, noteMaxLength).join('')],
	] as const;
	const told = fields.filter(([, value]) => value !== '');
	return `upi://pay?${told.map(([key, value]) => `${key}=${encodeValue(value)}`).join('&')}`;
}

/** Blanks as %20, never as plus: the apps take that for a plus. The @ of a payee stays: some apps do not undo %40. */
function encodeValue(value: string): string {
	return encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@');
}
