import { buffer } from 'node:stream/consumers';
import type { Deps } from '../../platform/deps.ts';
import { paintQr } from '../../platform/qr.ts';
import { findBlob } from '../files/files.service.ts';
import { getBook, presentPublicBook } from '../settings/settings.service.ts';
import { upiPaymentOf } from './upi-payment.ts';

/** The QR by which buyers pay at this moment, as a PNG: drawn for the payee, or the owner's picture; null without one. */
export async function paintPaymentQr(deps: Deps): Promise<Buffer | null> {
	const qr = await findPaymentQr(deps);
	if (qr === null) return null;
	return 'link' in qr ? paintQr(qr.link) : buffer(await deps.storage.read(qr.storage_key));
}

/** How many bytes {@link paintPaymentQr} would give; those of a picture are not fetched for it. */
export async function measurePaymentQr(deps: Deps): Promise<number | null> {
	const qr = await findPaymentQr(deps);
	if (qr === null) return null;
	return 'link' in qr ? (await paintQr(qr.link)).length : qr.size_bytes;
}

async function findPaymentQr(deps: Deps) {
	const book = await getBook(deps, deps.db);
	const payment = upiPaymentOf(presentPublicBook(book));
	if (payment !== null) return { link: payment.link };
	return book.qrBlobId === null ? null : ((await findBlob(deps.db, book.qrBlobId)) ?? null);
}
