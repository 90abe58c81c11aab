import type { Proof } from '#contract/orders/orders.ts';
import { required } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findBlob } from '../../../platform/storage/blobs.queries.ts';
import { findDuplicates, unsealUtr } from '../duplicate-proofs/duplicate-proofs.service.ts';
import { isUnusualUtr } from '../order-warnings.ts';
import { proofUrl, upiContext } from '../orders.presenter.ts';
import * as queries from '../orders.queries.ts';

/** Lists an order's proofs, newest first, with details that differ from the order's. @throws AppError ORDER_GONE */
export async function listProofs(deps: Deps, orderId: string): Promise<Proof[]> {
	const order = required(await queries.findOrder(deps.db, orderId), 'ORDER_GONE');
	const upiId = deps.secrets.unseal(upiContext, order.upi_id_sealed);
	const proofs = await queries.listProofs(deps.db, [orderId]);
	const duplicates = await findDuplicates(deps.db, proofs);
	return proofs.map((proof) => {
		const utr = unsealUtr(deps, proof);
		const proofUpiId = deps.secrets.unseal(upiContext, proof.upi_id_sealed);
		return {
			id: proof.id,
			url: proofUrl(proof.id),
			createdAt: proof.created_at,
			utr,
			isUtrOdd: utr !== null && isUnusualUtr(utr),
			repeats: duplicates.get(proof.id) ?? [],
			proposals: {
				name: proof.name === order.name ? null : proof.name,
				phone: proof.phone === order.phone ? null : proof.phone,
				upiId: proofUpiId === upiId ? null : proofUpiId,
			},
		};
	});
}

export async function getProofBlob(deps: Deps, proofId: string, isThumb: boolean) {
	const proof = await queries.findProof(deps.db, proofId);
	return required(proof && (await findBlob(deps.db, isThumb ? proof.thumb_blob_id : proof.blob_id)), 'NOT_FOUND');
}
