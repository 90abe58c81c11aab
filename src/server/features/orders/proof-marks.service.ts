import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Db } from '../../db/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { createKnownLooks, type KnownLooks, packOutline } from './known-looks.ts';
import { comparedUtr } from './odd-fields.ts';
import { blurredLookOf, isSamePicture, lookAt, outlineOf } from './picture-look.ts';
import * as queries from './proof-marks.queries.ts';

const utrContext = 'proofs.utr';
/** How many pictures are looked at closely: some 10 ms each. */
const candidates = 16;
/** How many of those that came while this one was looked at: inside the transaction, so only a few. */
const latest = 4;

/** A proof's picture, and the earlier proof whose picture it looks to be. */
export interface SeenPicture {
	key: string;
	look: Uint8Array;
	sameAs: string | null;
	/** Looks up to this number have been compared. */
	upTo: number;
}

const knownByDb = new WeakMap<Db, KnownLooks>();

/** Looks at a picture, as it is kept, and for it among all proofs. Slow: before the transaction. */
export async function recognisePicture(deps: Deps, picture: Buffer): Promise<SeenPicture> {
	const key = createHash('sha256').update(picture).digest('base64url');
	const look = await lookAt(picture);
	const known = knownByDb.get(deps.db) ?? createKnownLooks();
	knownByDb.set(deps.db, known);
	await known.catchUp(deps.db);
	const upTo = known.last;
	// The very bytes of an earlier proof: the transaction finds it by the key.
	if (await queries.isPictureMarked(deps.db, key)) return { key, look, sameAs: null, upTo };
	const numbers = await known.nearest(look, candidates);
	const rows = numbers.length === 0 ? [] : await queries.listLooks(deps.db, numbers);
	const ours = blurredLookOf(look);
	for (const row of rows) {
		await setImmediate();
		if (isSamePicture(ours, blurredLookOf(unpackLook(row.look)))) return { key, look, sameAs: row.proof_id, upTo };
	}
	return { key, look, sameAs: null, upTo };
}

/**
 * Marks a new proof that has the reference or the picture of an earlier one. The last thing that a transaction locks:
 * of two at the same moment, the second one sees the first.
 */
export async function markProof(
	deps: Deps,
	tx: Db,
	proof: { id: string; utr: string; picture: SeenPicture },
): Promise<void> {
	const { id, utr, picture } = proof;
	const number = await queries.takeTurn(tx);
	const plain = comparedUtr(utr);
	const utrKey = plain === '' ? null : utrKeyOf(deps, plain);
	await queries.updateMarks(tx, id, {
		utr_sealed: utr === '' ? null : deps.secrets.seal(utrContext, utr),
		utr_key: utrKey,
		picture_key: picture.key,
		same_utr_as: utrKey === null ? null : await queries.findMarkedProof(tx, 'utr_key', utrKey, id),
		same_picture_as: await findSamePicture(tx, id, picture),
	});
	await queries.insertLook(tx, {
		number,
		proof_id: id,
		outline: packOutline(outlineOf(picture.look)),
		look: packLook(picture.look),
	});
}

async function findSamePicture(tx: Db, id: string, picture: SeenPicture): Promise<string | null> {
	const alike = await queries.findMarkedProof(tx, 'picture_key', picture.key, id);
	if (alike !== null) return alike;
	if (picture.sameAs !== null && (await queries.holdProof(tx, picture.sameAs))) return picture.sameAs;
	const since = await queries.listLooksSince(tx, picture.upTo, latest);
	if (since.length === 0) return null;
	const ours = blurredLookOf(picture.look);
	const same = since.find(({ look }) => isSamePicture(ours, blurredLookOf(unpackLook(look))));
	return same !== undefined && (await queries.holdProof(tx, same.proof_id)) ? same.proof_id : null;
}

/** By what a reference is found among the proofs; `plain`: as {@link comparedUtr} leaves it. */
export function utrKeyOf(deps: Deps, plain: string): string {
	return deps.secrets.lookupKey(utrContext, plain);
}

/** A proof's reference as it was typed; null without one. */
export function readUtr(deps: Deps, proof: { utr_sealed: string | null }): string | null {
	return proof.utr_sealed === null ? null : deps.secrets.unseal(utrContext, proof.utr_sealed);
}

/** What some proofs have in common with others. */
export interface Repeated {
	/** The orders of the earlier proofs that were marked, by the id of the earlier proof. */
	earlier: Map<string, { orderId: string; code: string }>;
	/** The codes of other orders of a reference, by the id of the proof that has it. */
	references: Map<string, { others: string[]; gone: string | null }>;
}

/** Finds what some proofs have in common with others: earlier or, of the same reference, later. */
export async function findRepeated(
	db: Db,
	proofs: Array<{ id: string; utr_key: string | null; same_utr_as: string | null; same_picture_as: string | null }>,
): Promise<Repeated> {
	const ids = new Set(
		proofs.flatMap((proof) => [proof.same_utr_as, proof.same_picture_as]).filter((id) => id !== null),
	);
	const earlier = ids.size === 0 ? [] : await queries.listProofOrders(db, [...ids]);
	const withUtr = proofs.flatMap(({ id, utr_key }) => (utr_key === null ? [] : id));
	const same = withUtr.length === 0 ? [] : await queries.listSameReferences(db, withUtr);
	return {
		earlier: new Map(earlier.map((row) => [row.id, { orderId: row.order_id, code: row.code }])),
		references: new Map(
			same.map(({ id, otherCode, usedCode, goneCode }) => [
				id,
				{ others: [otherCode, usedCode].filter((code) => code !== null), gone: goneCode },
			]),
		),
	};
}

/** A quarter of the grey levels, which is enough to compare by; some 4 KB of a receipt. */
export function packLook(look: Uint8Array): string {
	return deflateRawSync(look.map((level) => level & 0xfc)).toString('base64');
}

function unpackLook(packed: string): Uint8Array {
	return new Uint8Array(inflateRawSync(Buffer.from(packed, 'base64')));
}
