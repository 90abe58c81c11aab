import { createHash } from 'node:crypto';
import { deleteOldWindows } from '../../platform/auth/rate-limits.queries.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { listChatKeysOnTheWayOut } from '../chat/chat-clearing.service.ts';
import { deleteOldLookups } from '../credentials/credentials.service.ts';
import { listKeysOnTheWayOut, reservedOwners } from '../files/files.service.ts';
import { purgeExpired } from '../files/trash.service.ts';
import { listRemovals } from '../removal/removal.service.ts';
import { listFilmBlobIds } from '../settings/films.service.ts';
import { findKeptQrBlobId } from '../settings/settings.service.ts';
import { repairUploads } from '../uploads/uploads.service.ts';
import { tidyVisits } from '../visits/visit-upkeep.service.ts';
import * as queries from './upkeep.queries.ts';

/** A purchase or upload under way has bytes before it has a row; only what is older is a leftover. */
const inFlightSeconds = 3600;
/** The hourly upkeep has long removed what is not used: older ones are a fault. */
const unusedSeconds = 24 * 3600;
const batch = 400;

/** After a start: finishes cut-off uploads and removes what a killed process left behind. */
export async function repairAfterStart(deps: Deps): Promise<void> {
	// On one machine nothing of before this start is still under way. Taken first: requests may come while this works.
	const isAlone = deps.connection.kind === 'sqlite';
	const olderThan = new Date(deps.clock.now().getTime() - (isAlone ? 0 : inFlightSeconds * 1000));
	await repairUploads(deps);
	await removeLeftovers(deps, olderThan);
}

/** Hourly: blobs that nothing points at, uploads that nobody came back for, leftovers without a row, windows that are over, old lookups and visits. */
export async function collectGarbage(deps: Deps): Promise<void> {
	const blobs = await queries.findUnreferencedBlobs(
		deps.db,
		await listKeptBlobs(deps),
		isoAt(deps.clock, -inFlightSeconds),
	);
	if (blobs.length > 0) {
		// The rows first: a file without a row is a leftover, a row without its file would be a loss.
		await queries.deleteBlobs(
			deps.db,
			blobs.map((blob) => blob.id),
		);
		for (const blob of blobs) await deps.storage.remove(blob.storageKey);
	}
	await repairUploads(deps);
	await removeLeftovers(deps, new Date(deps.clock.now().getTime() - inFlightSeconds * 1000));
	await deleteOldWindows(deps.db, isoAt(deps.clock));
	await deleteOldLookups(deps);
	await purgeExpired(deps);
	await tidyVisits(deps);
}

/** Blobs that settings point at. */
async function listKeptBlobs(deps: Deps): Promise<string[]> {
	const qr = await findKeptQrBlobId(deps);
	return [...(qr === null ? [] : [qr]), ...(await listFilmBlobIds(deps.db))];
}

async function removeLeftovers(deps: Deps, olderThan: Date): Promise<void> {
	for await (const key of findLeftovers(deps, olderThan)) {
		await deps.storage.remove(key);
		deps.log.info({ key }, 'leftover removed');
	}
}

/** Stored keys without a blob row that are older than `olderThan`. */
async function* findLeftovers(deps: Deps, olderThan: Date): AsyncGenerator<string> {
	let keys: string[] = [];
	async function* flush() {
		const known = keys.length === 0 ? new Set<string>() : await queries.findKnownKeys(deps.db, keys);
		for (const key of keys) if (!known.has(key)) yield key;
		keys = [];
	}
	for await (const { key, modifiedAt } of deps.storage.list()) {
		if (modifiedAt >= olderThan) continue;
		keys.push(key);
		if (keys.length >= batch) yield* flush();
	}
	yield* flush();
}

/** Something that is not as it must be. */
export interface Problem {
	kind:
		| 'bytes-missing'
		| 'bytes-differ'
		| 'leftover'
		| 'stray-node'
		| 'ownerless-node'
		| 'unused-blob'
		| 'hollow-file'
		| 'half-order'
		| 'empty-mail'
		| 'wrong-share'
		| 'wrong-totals'
		| 'wrong-space'
		| 'wrong-visits';
	what: string;
}

/** Checks rows against rows and bytes against rows; changes nothing, safe while the server runs. */
export async function checkEverything(deps: Deps): Promise<{ problems: Problem[]; blobs: number; bytes: number }> {
	const problems: Problem[] = [];
	let blobs = 0;
	let bytes = 0;
	for (let after = ''; ; ) {
		const page = await queries.listBlobs(deps.db, after, batch);
		for (const blob of page) {
			blobs += 1;
			bytes += blob.size_bytes;
			const problem = await checkBlob(deps, blob);
			if (problem !== null) problems.push(problem);
		}
		const last = page.at(-1);
		if (last === undefined) break;
		after = last.id;
	}
	const leftovers: string[] = [];
	for await (const key of findLeftovers(deps, new Date(deps.clock.now().getTime() - inFlightSeconds * 1000)))
		leftovers.push(key);
	const leaving = new Set([...(await listKeysOnTheWayOut(deps.db)), ...(await listChatKeysOnTheWayOut(deps.db))]);
	for (const key of leftovers) {
		// A purge under way knows of it, or has removed it by now.
		if (!leaving.has(key) && (await deps.storage.findSize(key)) !== null)
			problems.push({ kind: 'leftover', what: key });
	}
	for (const node of await queries.findStrayNodes(deps.db))
		problems.push({ kind: 'stray-node', what: `${node.id} ${node.name}` });
	for (const node of await queries.findHollowFiles(deps.db))
		problems.push({ kind: 'hollow-file', what: `${node.id} ${node.name}` });
	const removed = (await listRemovals(deps)).map((removal) => removal.id);
	for (const node of await queries.findOwnerlessNodes(deps.db, [...reservedOwners, ...removed]))
		problems.push({ kind: 'ownerless-node', what: `${node.id} ${node.name}` });
	for (const blob of await queries.findUnreferencedBlobs(
		deps.db,
		await listKeptBlobs(deps),
		isoAt(deps.clock, -unusedSeconds),
	))
		problems.push({ kind: 'unused-blob', what: blob.storageKey });
	// A removal takes the totals last.
	const isKept = ({ ownerId }: { ownerId: string }) => !removed.includes(ownerId);
	for (const { ownerId, path } of (await queries.findWrongTotals(deps.db)).filter(isKept))
		problems.push({ kind: 'wrong-totals', what: `${ownerId}/${path}` });
	for (const { ownerId } of (await queries.findWrongSpaces(deps.db)).filter(isKept))
		problems.push({ kind: 'wrong-space', what: ownerId });
	for (const entry of await queries.findWrongEntries(deps.db))
		problems.push({ kind: 'wrong-share', what: `${entry.id} ${entry.name}` });
	for (const order of await queries.findHalfOrders(deps.db)) problems.push({ kind: 'half-order', what: order.code });
	for (const mail of await queries.findEmptyMails(deps.db))
		problems.push({ kind: 'empty-mail', what: `${mail.id} ${mail.kind}` });
	const visits = [
		...(await queries.findWrongVisitAddresses(deps.db)).map(({ ip }) => ip),
		...(await queries.findWrongVisitDays(deps.db)).map(({ day }) => day),
		...(await queries.findWrongVisitSums(deps.db)),
	];
	for (const what of visits) problems.push({ kind: 'wrong-visits', what });
	return { problems, blobs, bytes };
}

async function checkBlob(deps: Deps, blob: { storage_key: string; sha256: string }): Promise<Problem | null> {
	if ((await deps.storage.findSize(blob.storage_key)) === null)
		return { kind: 'bytes-missing', what: blob.storage_key };
	const hash = createHash('sha256');
	for await (const chunk of await deps.storage.read(blob.storage_key)) hash.update(chunk as Buffer);
	return hash.digest('hex') === blob.sha256 ? null : { kind: 'bytes-differ', what: blob.storage_key };
}
