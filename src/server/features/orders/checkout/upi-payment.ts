import { buffer } from 'node:stream/consumers';
import type { PublicBook } from '#contract/book/book-settings.ts';
import type { UpiPayment } from '#contract/storefront/landing.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createQrPath, renderQrPng } from '../../../platform/images/qr-code.ts';
import { findBlob } from '../../../platform/storage/blobs.queries.ts';
import { getBook, presentPublicBook } from '../../book/index.ts';

const noteMaxLength = 50;

/** Returns the UPI payment of the book's current price; null without a payee or a price. */
export function upiPaymentOf(book: PublicBook): UpiPayment | null {
	if (book.upi.id === '' || book.discountedPrice <= 0) return null;
	const link = upiLinkOf(book);
	return { link, qr: createQrPath(link) };
}

/** Builds the `upi://pay` link with payee and amount. Source: NPCI, UPI Linking Specifications 1.6. */
function upiLinkOf({ upi, discountedPrice, title }: PublicBook): string {
	const fields = [
		['pa', upi.id],
		['pn', upi.name],
		['am', discountedPrice.toFixed(2)],
		['cu', 'INR'],
		['tn', [...title].slice(0, noteMaxLength).join('')],
	] as const;
	const nonEmpty = fields.filter(([, value]) => value !== '');
	return `upi://pay?${nonEmpty.map(([key, value]) => `${key}=${encodeValue(value)}`).join('&')}`;
}

/** Encodes spaces as %20 and leaves the @ of a payee, because some UPI apps decode neither + nor %40. */
function encodeValue(value: string): string {
	return encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@');
}

/** Returns the QR code of the UPI payment or, without one, the QR picture of the owner; null if there is neither. */
export async function renderPaymentQr(deps: Deps): Promise<Buffer | null> {
	const qr = await findPaymentQr(deps);
	if (qr === null) return null;
	return 'link' in qr ? renderQrPng(qr.link) : buffer(await deps.storage.read(qr.storage_key));
}

/** Returns the size in bytes of the result of {@link renderPaymentQr}, without reading the owner's picture. */
export async function findPaymentQrSize(deps: Deps): Promise<number | null> {
	const qr = await findPaymentQr(deps);
	if (qr === null) return null;
	return 'link' in qr ? (await renderQrPng(qr.link)).length : qr.size_bytes;
}

async function findPaymentQr(deps: Deps) {
	const book = await getBook(deps, deps.db);
	const payment = upiPaymentOf(presentPublicBook(book));
	if (payment !== null) return { link: payment.link };
	return book.qrBlobId === null ? null : ((await findBlob(deps.db, book.qrBlobId)) ?? null);
}
