import { createHash } from 'node:crypto';
import type { DuplicateProof } from '#contract/orders/orders.ts';
import type { Secrets } from '../../../platform/auth/secrets.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { comparableUtr } from '../order-warnings.ts';
import type { ProofRow } from '../orders.queries.ts';
import * as queries from './duplicate-proofs.queries.ts';

export const utrContext = 'proofs.utr';

export function pictureKeyOf(picture: Buffer): string {
	return createHash('sha256').update(picture).digest('base64url');
}

/** Returns the columns by which duplicates of a proof are found. The test order has no duplicates, so it has no keys. */
export function proofKeysOf(
	deps: Deps,
	{ utr, pictureKey, isTest }: { utr: string; pictureKey: string; isTest: boolean },
) {
	const plain = comparableUtr(utr);
	return {
		utr_sealed: utr === '' ? null : deps.secrets.seal(utrContext, utr),
		utr_key: isTest || plain === '' ? null : utrLookupKey(deps, plain),
		picture_key: isTest ? null : pictureKey,
	};
}

/** Computes the lookup key of a reference; `plain` is normalised by {@link comparableUtr}. */
export function utrLookupKey(deps: { secrets: Pick<Secrets, 'lookupKey'> }, plain: string): string {
	return deps.secrets.lookupKey(utrContext, plain);
}

export function unsealUtr(deps: Deps, proof: { utr_sealed: string | null }): string | null {
	return proof.utr_sealed === null ? null : deps.secrets.unseal(utrContext, proof.utr_sealed);
}

/**
 * Finds the duplicates of each proof, by the id of the proof: other orders with the same reference or picture, and for
 * all but the first of its order, the own order. `proofs`: all proofs of some orders, newest first.
 */
export async function findDuplicates(db: Db, proofs: ProofRow[]): Promise<Map<string, DuplicateProof[]>> {
	const ids = proofs.map(({ id }) => id);
	const rows = ids.length === 0 ? [] : await queries.listOrdersWithSamePayment(db, ids);
	const others = new Map(rows.map((row) => [row.id, row]));
	const seen = new Set<string>();
	const duplicates = proofs.toReversed().map((proof): [string, DuplicateProof[]] => {
		const { ownCode = '', sameUtr, samePicture, used, usedByDeleted } = others.get(proof.id) ?? {};
		const isRepeated = (key: string | null) => {
			const keyInOrder = `${proof.order_id} ${key}`;
			const isSeen = key !== null && seen.has(keyInOrder);
			seen.add(keyInOrder);
			return isSeen;
		};
		const ownUtr = isRepeated(proof.utr_key) ? ownCode : null;
		const ownPicture = isRepeated(proof.picture_key) ? ownCode : null;
		const found = [
			['utr', ownUtr],
			['picture', ownPicture],
			['picture', samePicture],
			['utr', sameUtr],
			['utr', used],
			['used', usedByDeleted],
		] as const;
		return [
			proof.id,
			uniqueDuplicates(
				found.flatMap(([kind, code]) => (code == null ? [] : [{ kind, code, isOwnOrder: code === ownCode }])),
			),
		];
	});
	return new Map(duplicates);
}

export function uniqueDuplicates(duplicates: DuplicateProof[]): DuplicateProof[] {
	return [...new Map(duplicates.map((duplicate) => [`${duplicate.kind} ${duplicate.code}`, duplicate])).values()];
}
