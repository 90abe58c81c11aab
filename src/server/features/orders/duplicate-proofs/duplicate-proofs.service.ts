import { createHash } from 'node:crypto';
import type { DuplicateProof } from '#contract/orders/orders.ts';
import type { Secrets } from '../../../platform/auth/secrets.ts';
import { inBatches } from '../../../platform/database/query-preparation.ts';
import type { Deps } from '../../../platform/deps.ts';
import { comparableUtr, listComparableUtrs } from '../order-warnings.ts';
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

/** Computes the lookup keys of all forms of a reference, see {@link listComparableUtrs}; `utr_key` has the first only. */
export function utrLookupKeys(deps: { secrets: Pick<Secrets, 'lookupKey'> }, utr: string): string[] {
	return listComparableUtrs(utr).map((plain) => utrLookupKey(deps, plain));
}

export function unsealUtr(deps: Deps, proof: { utr_sealed: string | null }): string | null {
	return proof.utr_sealed === null ? null : deps.secrets.unseal(utrContext, proof.utr_sealed);
}

/**
 * Finds the duplicates of each proof, by the id of the proof: other orders with the same reference or picture, and for
 * all but the first of its order, the own order. `proofs`: all proofs of some orders, newest first.
 */
export async function findDuplicates(deps: Deps, proofs: ProofRow[]): Promise<Map<string, DuplicateProof[]>> {
	const ids = proofs.map(({ id }) => id);
	const rows = ids.length === 0 ? [] : await queries.listOrdersWithSamePayment(deps.db, ids);
	const others = new Map(rows.map((row) => [row.id, row]));
	const byOtherForms = await findByOtherForms(deps, proofs);
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
			...(byOtherForms.get(proof.id) ?? []),
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

/**
 * Finds the orders that have one of the other forms of a proof's reference as theirs, or were completed with it, by the
 * id of the proof. Most references have only one form.
 */
async function findByOtherForms(deps: Deps, proofs: ProofRow[]) {
	const keys = proofs.flatMap((proof) => {
		// The test order has no key.
		const utr = proof.utr_key === null ? null : unsealUtr(deps, proof);
		const others = utr === null ? [] : utrLookupKeys(deps, utr).filter((key) => key !== proof.utr_key);
		return others.map((utr_key) => ({ id: proof.id, order_id: proof.order_id, utr_key }));
	});
	const found = new Map<string, Array<readonly [DuplicateProof['kind'], string | null]>>();
	for (const batch of inBatches(keys))
		for (const { id, sameUtr, used, usedByDeleted } of await queries.listOrdersWithReferences(deps.db, batch)) {
			const ofProof = found.get(id) ?? [];
			found.set(id, [...ofProof, ['utr', sameUtr], ['utr', used], ['used', usedByDeleted]]);
		}
	return found;
}

export function uniqueDuplicates(duplicates: DuplicateProof[]): DuplicateProof[] {
	return [...new Map(duplicates.map((duplicate) => [`${duplicate.kind} ${duplicate.code}`, duplicate])).values()];
}
