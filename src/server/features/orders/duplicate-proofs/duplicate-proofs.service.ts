import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DuplicateProof } from '#contract/orders/orders.ts';
import type { Secrets } from '../../../platform/auth/secrets.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { comparableUtr } from '../order-warnings.ts';
import type { ProofRow } from '../orders.queries.ts';
import * as queries from './duplicate-proofs.queries.ts';
import { createFingerprintIndex, type FingerprintIndex, packEdgeGrid } from './fingerprint-index.ts';
import { blurFingerprint, computeFingerprint, edgeGridOf, isSameImage } from './image-fingerprint.ts';

export const utrContext = 'proofs.utr';
/** Number of nearest pictures that are compared in detail, at about 10 ms each. */
const candidateCount = 16;
/** Maximum number of the latest pictures to compare inside the transaction. It is low to keep the transaction short. */
const latestCount = 4;

export interface FingerprintedPicture {
	key: string;
	fingerprint: Uint8Array;
	duplicateOf: string | null;
	/** Number of the latest proof with which the fingerprint was compared. */
	comparedUpTo: number;
}

const indexByDb = new WeakMap<Db, FingerprintIndex>();

/** Computes a picture's fingerprint and searches all proofs for it. Slow, so call it before the transaction. */
export async function fingerprintPicture(deps: Deps, picture: Buffer): Promise<FingerprintedPicture> {
	const key = createHash('sha256').update(picture).digest('base64url');
	const fingerprint = await computeFingerprint(picture);
	const index = indexByDb.get(deps.db) ?? createFingerprintIndex();
	indexByDb.set(deps.db, index);
	await index.refresh(deps.db);
	const fingerprinted = { key, fingerprint, duplicateOf: null, comparedUpTo: index.lastNumber };
	// If an earlier proof has identical bytes, the transaction finds it by the key.
	if (await queries.hasPictureKey(deps.db, key)) return fingerprinted;
	const numbers = await index.findNearest(fingerprint, candidateCount);
	const rows = numbers.length === 0 ? [] : await queries.listFingerprints(deps.db, numbers);
	const ours = blurFingerprint(fingerprint);
	for (const row of rows) {
		await setImmediate();
		const isSame = isSameImage(ours, blurFingerprint(unpackFingerprint(row.fingerprint)));
		if (isSame) return { ...fingerprinted, duplicateOf: row.proofId };
	}
	return fingerprinted;
}

/**
 * Records the duplicates of a new proof. The lock of the proof number makes concurrent submissions wait, so that the
 * later one sees the proof of the earlier one. Call this after the transaction has locked its other rows. A proof of
 * the test order is never compared: it gets no number and no keys.
 */
export async function recordDuplicates(
	deps: Deps,
	tx: Db,
	proof: { id: string; utr: string; picture: FingerprintedPicture; isTest: boolean },
): Promise<void> {
	const { id, utr, picture } = proof;
	const utr_sealed = utr === '' ? null : deps.secrets.seal(utrContext, utr);
	if (proof.isTest) return queries.updateProofKeys(tx, id, { utr_sealed });
	const number = await queries.takeNextProofNumber(tx);
	const plain = comparableUtr(utr);
	const utrKey = plain === '' ? null : utrLookupKey(deps, plain);
	await queries.updateProofKeys(tx, id, {
		utr_sealed,
		utr_key: utrKey,
		picture_key: picture.key,
		same_utr_as: utrKey === null ? null : await queries.findProofWithSameKey(tx, 'utr_key', utrKey, id),
		same_picture_as: await findProofWithSamePicture(tx, id, picture),
	});
	await queries.insertFingerprint(tx, {
		number,
		proof_id: id,
		coarse_fingerprint: packEdgeGrid(edgeGridOf(picture.fingerprint)),
		fine_fingerprint: packFingerprint(picture.fingerprint),
	});
}

async function findProofWithSamePicture(tx: Db, id: string, picture: FingerprintedPicture): Promise<string | null> {
	const alike = await queries.findProofWithSameKey(tx, 'picture_key', picture.key, id);
	if (alike !== null) return alike;
	if (picture.duplicateOf !== null && (await queries.lockProof(tx, picture.duplicateOf))) return picture.duplicateOf;
	const since = await queries.listFingerprintsSince(tx, picture.comparedUpTo, latestCount);
	if (since.length === 0) return null;
	const ours = blurFingerprint(picture.fingerprint);
	const same = since.find((row) => isSameImage(ours, blurFingerprint(unpackFingerprint(row.fingerprint))));
	return same !== undefined && (await queries.lockProof(tx, same.proofId)) ? same.proofId : null;
}

/** Computes the lookup key of a reference; `plain` is normalised by {@link comparableUtr}. */
export function utrLookupKey(deps: { secrets: Pick<Secrets, 'lookupKey'> }, plain: string): string {
	return deps.secrets.lookupKey(utrContext, plain);
}

export function unsealUtr(deps: Deps, proof: { utr_sealed: string | null }): string | null {
	return proof.utr_sealed === null ? null : deps.secrets.unseal(utrContext, proof.utr_sealed);
}

/** Finds the duplicates of each proof, by the id of the proof. */
export async function findDuplicates(db: Db, proofs: ProofRow[]): Promise<Map<string, DuplicateProof[]>> {
	const earlierIds = proofs.flatMap((proof) => [proof.same_utr_as, proof.same_picture_as]).filter((id) => id !== null);
	const earlier = earlierIds.length === 0 ? [] : await queries.listProofOrders(db, [...new Set(earlierIds)]);
	const orderOfEarlier = new Map(earlier.map((row) => [row.id, row]));
	const withUtr = proofs.flatMap(({ id, utr_key }) => (utr_key === null ? [] : id));
	const sameReference = withUtr.length === 0 ? [] : await queries.listOrdersWithSameReference(db, withUtr);
	const codesOfProof = new Map(sameReference.map((row) => [row.id, row]));
	return new Map(
		proofs.map((proof) => {
			const matches = [
				['utr', proof.same_utr_as],
				['picture', proof.same_picture_as],
			] as const;
			const duplicates = matches.flatMap(([kind, id]): DuplicateProof[] => {
				const order = orderOfEarlier.get(id ?? '');
				return order === undefined ? [] : [{ kind, code: order.code, isOwnOrder: order.order_id === proof.order_id }];
			});
			const { otherCode = null, usedCode = null, goneCode = null } = codesOfProof.get(proof.id) ?? {};
			for (const code of [otherCode, usedCode])
				if (code !== null) duplicates.push({ kind: 'utr', code, isOwnOrder: false });
			if (goneCode !== null) duplicates.push({ kind: 'used', code: goneCode, isOwnOrder: false });
			return [proof.id, uniqueDuplicates(duplicates)];
		}),
	);
}

export function uniqueDuplicates(duplicates: DuplicateProof[]): DuplicateProof[] {
	return [...new Map(duplicates.map((duplicate) => [`${duplicate.kind} ${duplicate.code}`, duplicate])).values()];
}

/** Compresses a fingerprint to about 4 KB. Rounds grey levels to multiples of four, which suffice to compare. */
export function packFingerprint(fingerprint: Uint8Array): string {
	return deflateRawSync(fingerprint.map((level) => level & 0xfc)).toString('base64');
}

function unpackFingerprint(packed: string): Uint8Array {
	return new Uint8Array(inflateRawSync(Buffer.from(packed, 'base64')));
}
