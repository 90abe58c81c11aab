import { randomUUID } from 'node:crypto';
import { inTransaction } from '#server/db/transaction.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { insertBlob } from '#server/features/files/files.service.ts';
import { placeOrder } from '#server/features/orders/orders-place.service.ts';
import { lookHeight, lookWidth } from '#server/features/orders/picture-look.ts';
import { saveMailSettings } from '#server/features/settings/mail-settings.service.ts';
import { isoAt } from '#server/platform/clock.ts';
import type { Deps } from '#server/platform/deps.ts';

export interface OrderToMake {
	userId: string;
	email: string;
	name?: string;
	phone?: string;
	upiId?: string;
	utr?: string;
	/** Null: absent, which means Pending. */
	status?: 'Pending' | 'Complete' | null;
	/** Whole paise; null: the price is missing. */
	pricePaise?: number | null;
}

/** What stands for a screenshot in tests that look at bytes, not at pictures. */
export const proofBytes = Buffer.from('the bytes of a screenshot');

/** An order with one proof, as a purchase leaves it. @returns its id, its proof's, its code and the secret of its page */
export async function makeOrder(
	deps: Deps,
	order: OrderToMake,
): Promise<{ id: string; proofId: string; code: string; token: string }> {
	const blobs = await Promise.all([proofBytes, Buffer.from('thumb')].map((bytes) => storeBlob(deps, bytes)));
	return inTransaction(deps.db, async (tx) => {
		for (const blob of blobs) await insertBlob(tx, blob);
		const {
			orderId: id,
			lines,
			link,
		} = await placeOrder(deps, tx, systemCaller, {
			userId: order.userId,
			email: order.email,
			name: order.name ?? 'Asha Rao',
			phone: order.phone ?? '98230 55512',
			upiId: order.upiId ?? 'asha@examplebank',
			utr: order.utr ?? '',
			picture: {
				key: randomUUID(),
				look: new Uint8Array(lookWidth * lookHeight),
				sameAs: null,
				upTo: 2 ** 31 - 1,
			},
			blobId: blobs[0]?.id ?? '',
			thumbBlobId: blobs[1]?.id ?? '',
		});
		const changes = {
			...(order.status !== undefined && { status: order.status }),
			...(order.pricePaise !== undefined && { price_paise: order.pricePaise }),
		};
		if (Object.keys(changes).length > 0) await tx.updateTable('orders').set(changes).where('id', '=', id).execute();
		const proof = await tx.selectFrom('proofs').select('id').where('order_id', '=', id).executeTakeFirstOrThrow();
		return { id, proofId: proof.id, code: lines.code, token: link.token };
	});
}

/** The owner hears of no order and no message by mail: for tests that count mails. */
export async function muteOrderMails(deps: Deps): Promise<void> {
	await saveMailSettings(deps, systemCaller, {
		isOrderMailed: false,
		isChatMailed: false,
		orderMailTo: '',
		seller: '',
		version: 0,
	});
}

async function storeBlob(deps: Deps, bytes: Buffer) {
	const id = randomUUID();
	const storage_key = `screenshots/test_${id}`;
	const { sizeBytes, sha256 } = await deps.storage.put(storage_key, bytes);
	return { id, storage_key, size_bytes: sizeBytes, sha256, content_type: 'image/webp', created_at: isoAt(deps.clock) };
}
