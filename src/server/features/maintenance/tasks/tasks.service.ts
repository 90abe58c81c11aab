import { reservedOwners } from '#contract/files/files.ts';
import { deleteExpiredWindows } from '../../../platform/auth/rate-limits/rate-limits.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob, type RunningJob } from '../../../platform/jobs/jobs.ts';
import { deleteExpiredLeases, deleteExpiredProcessLeases } from '../../../platform/locking/leases/leases.queries.ts';
import { hashBytes, tryRemoveMany } from '../../../platform/storage/storage.ts';
import { removeStaleTemporaryFolders } from '../../../platform/storage/temporary-folder.ts';
import { listAccountDeletions } from '../../accounts/index.ts';
import { deleteStaleCopies, findStoredQrBlobId, listIncompleteCopies } from '../../book/index.ts';
import { deleteErasedMessages, listChatKeysBeingDeleted, listConversationsBeingDeleted } from '../../chat/index.ts';
import { deleteOldLookups } from '../../credentials/index.ts';
import { listKeysPendingPurge, purgeExpired, resumeOrDiscardUploads } from '../../files/index.ts';
import { applyVisitRetention, listVideoBlobIds } from '../../storefront/index.ts';
import { spaceWarningsJob } from '../disk-space-warnings/disk-space-warnings.service.ts';
import * as queries from './tasks.queries.ts';

/** A purchase or upload in progress stores its bytes before its row; only older objects are orphaned. */
const inFlightSeconds = 3600;
/** The hourly maintenance removes unused blobs much earlier: older ones are a fault. */
const unusedSeconds = 24 * 3600;
/** The rows of abandoned uploads are discarded a day earlier. */
const abandonedMultipartSeconds = 8 * 24 * 3600;
const batch = 400;
/** Blobs are checked concurrently, because each takes a while in a remote store. */
const checkConcurrency = 8;

/** Runs after a start: finishes interrupted uploads and removes the orphaned objects of a killed process. */
export async function repairAfterStart(deps: Deps): Promise<void> {
	// With SQLite and local files nothing from before this start is still in progress. The time is taken first, because
	// requests may arrive meanwhile. A remote store has its own clock, so that a new object may seem older.
	const isAlone = deps.connection.kind === 'sqlite' && deps.storage.multipart === null;
	const olderThan = new Date(deps.clock.now().getTime() - (isAlone ? 0 : inFlightSeconds * 1000));
	await resumeOrDiscardUploads(deps);
	await removeStaleTemporaryFolders(deps);
	await deps.storage.removeDeferred();
	await removeOrphanedObjects(deps, olderThan);
}

export const maintenanceJob = 'upkeep';
const maintenanceIntervalSeconds = 3600;

/** Enqueues the scheduled tasks once, however many processes start; any of them may run a due one. */
export async function scheduleMaintenance(deps: Deps): Promise<void> {
	for (const kind of [maintenanceJob, spaceWarningsJob])
		await enqueueJob(deps, deps.db, kind, {}, { id: kind, lane: 'upkeep' });
}

/** Runs the maintenance job and schedules it again in an hour. */
export async function runHourlyMaintenance(deps: Deps, _payload: unknown, job: RunningJob): Promise<void> {
	await collectGarbage(deps);
	job.reschedule(maintenanceIntervalSeconds);
}

/**
 * Removes unreferenced blobs, abandoned uploads, deferred deletes of a backup, stored files without a row, expired
 * leases and rate limit windows, old lookups and visits, erased messages, and copies of the book that may no longer be
 * read. Runs hourly.
 */
export async function collectGarbage(deps: Deps): Promise<void> {
	const blobs = await queries.findUnreferencedBlobs(
		deps.db,
		await listBlobsOfSettings(deps),
		isoAt(deps.clock, -inFlightSeconds),
	);
	if (blobs.length > 0) {
		// The rows are deleted first: a file without a row is removed later, a row without its file would be data loss.
		await queries.deleteBlobs(
			deps.db,
			blobs.map((blob) => blob.id),
		);
		await tryRemoveMany(
			deps,
			blobs.map((blob) => blob.storageKey),
		);
	}
	await deleteExpiredProcessLeases(deps.db);
	await deleteExpiredWindows(deps.db, isoAt(deps.clock));
	await deleteExpiredLeases(deps.db);
	await deleteOldLookups(deps);
	await purgeExpired(deps);
	await applyVisitRetention(deps);
	await deleteErasedMessages(deps);
	await deleteStaleCopies(deps);
	await removeStaleTemporaryFolders(deps);
	// Work on the storage comes last, because an unavailable store aborts it.
	await resumeOrDiscardUploads(deps);
	await deps.storage.removeDeferred();
	await removeOrphanedObjects(deps, new Date(deps.clock.now().getTime() - inFlightSeconds * 1000));
	await abortAbandonedMultiparts(deps);
}

async function listBlobsOfSettings(deps: Deps): Promise<string[]> {
	const qr = await findStoredQrBlobId(deps);
	return [...(qr === null ? [] : [qr]), ...(await listVideoBlobIds(deps.db))];
}

async function removeOrphanedObjects(deps: Deps, olderThan: Date): Promise<void> {
	for await (const keys of findOrphanedObjects(deps, olderThan)) {
		await deps.storage.removeMany(keys);
		for (const key of keys) deps.log.info({ key }, 'leftover removed');
	}
}

/** Yields storage keys older than `olderThan` that belong to neither a blob nor an unfinished upload. */
async function* findOrphanedObjects(deps: Deps, olderThan: Date): AsyncGenerator<string[]> {
	let keys: string[] = [];
	async function* flush() {
		const known = keys.length === 0 ? new Set<string>() : await queries.findKnownKeys(deps.db, keys);
		const unknown = keys.filter((key) => !known.has(key));
		keys = [];
		if (unknown.length > 0) yield unknown;
	}
	for await (const { key, modifiedAt } of deps.storage.list()) {
		if (modifiedAt >= olderThan) continue;
		keys.push(key);
		if (keys.length >= batch) yield* flush();
	}
	yield* flush();
}

/** Aborts multipart uploads without a row, which a store would keep until they are aborted. */
async function abortAbandonedMultiparts(deps: Deps): Promise<void> {
	const { multipart } = deps.storage;
	if (multipart === null) return;
	const olderThan = new Date(deps.clock.now().getTime() - abandonedMultipartSeconds * 1000);
	for await (const { key, handle, startedAt: begunAt } of multipart.listPending()) {
		if (begunAt >= olderThan || (await queries.hasUploadUnder(deps.db, key))) continue;
		await multipart.abort(key, handle);
		deps.log.info({ key }, 'pieces of an upload removed');
	}
}

interface Problem {
	kind:
		| 'bytes-missing'
		| 'bytes-differ'
		| 'leftover'
		| 'stray-node'
		| 'ownerless-node'
		| 'ownerless-chat'
		| 'unused-blob'
		| 'hollow-file'
		| 'half-order'
		| 'empty-mail'
		| 'hollow-copy'
		| 'wrong-share'
		| 'wrong-totals'
		| 'wrong-space'
		| 'wrong-visits';
	what: string;
}

/** Checks rows against rows and stored bytes against rows. Changes nothing, and is safe while the server runs. */
export async function checkIntegrity(deps: Deps): Promise<{ problems: Problem[]; blobs: number; bytes: number }> {
	const problems: Problem[] = [];
	let blobs = 0;
	let bytes = 0;
	for (let after = ''; ; ) {
		const page = await queries.listBlobs(deps.db, after, batch);
		blobs += page.length;
		bytes += page.reduce((sum, blob) => sum + blob.size_bytes, 0);
		for (let at = 0; at < page.length; at += checkConcurrency) {
			const some = page.slice(at, at + checkConcurrency).map((blob) => checkBlob(deps, blob));
			problems.push(...(await Promise.all(some)).filter((problem) => problem !== null));
		}
		const last = page.at(-1);
		if (last === undefined) break;
		after = last.id;
	}
	const leftovers: string[] = [];
	for await (const keys of findOrphanedObjects(deps, new Date(deps.clock.now().getTime() - inFlightSeconds * 1000)))
		leftovers.push(...keys);
	const leaving = new Set([...(await listKeysPendingPurge(deps.db)), ...(await listChatKeysBeingDeleted(deps.db))]);
	for await (const keys of deps.storage.listDeferred()) for (const key of keys) leaving.add(key);
	for (const key of leftovers) {
		// Keys of a purge in progress are either listed as such or already removed.
		if (!leaving.has(key) && (await deps.storage.findSize(key)) !== null)
			problems.push({ kind: 'leftover', what: key });
	}
	for (const node of await queries.findMisplacedNodes(deps.db))
		problems.push({ kind: 'stray-node', what: `${node.id} ${node.name}` });
	for (const node of await queries.findFilesWithoutBytes(deps.db))
		problems.push({ kind: 'hollow-file', what: `${node.id} ${node.name}` });
	const removed = (await listAccountDeletions(deps)).map((removal) => removal.id);
	for (const node of await queries.findNodesWithoutOwner(deps.db, [...reservedOwners, ...removed]))
		problems.push({ kind: 'ownerless-node', what: `${node.id} ${node.name}` });
	const ownerless = await queries.findChatsWithoutOwner(deps.db, await listConversationsBeingDeleted(deps.db));
	for (const what of [...ownerless, ...(await queries.findChatKeysOf(deps.db, ownerless))])
		problems.push({ kind: 'ownerless-chat', what });
	for (const blob of await queries.findUnreferencedBlobs(
		deps.db,
		await listBlobsOfSettings(deps),
		isoAt(deps.clock, -unusedSeconds),
	))
		problems.push({ kind: 'unused-blob', what: blob.storageKey });
	// An account deletion removes the totals last.
	const isKept = ({ ownerId }: { ownerId: string }) => !removed.includes(ownerId);
	for (const { ownerId, path } of (await queries.findWrongTotals(deps.db)).filter(isKept))
		problems.push({ kind: 'wrong-totals', what: `${ownerId}/${path}` });
	for (const { ownerId } of (await queries.findWrongSpaces(deps.db)).filter(isKept))
		problems.push({ kind: 'wrong-space', what: ownerId });
	for (const entry of await queries.findInvalidShares(deps.db))
		problems.push({ kind: 'wrong-share', what: `${entry.id} ${entry.name}` });
	for (const order of await queries.findOrdersWithoutProof(deps.db))
		problems.push({ kind: 'half-order', what: order.code });
	for (const mail of await queries.findEmptyMails(deps.db))
		problems.push({ kind: 'empty-mail', what: `${mail.id} ${mail.kind}` });
	for (const what of await listIncompleteCopies(deps.db)) problems.push({ kind: 'hollow-copy', what });
	const visits = [
		...(await queries.findWrongVisitAddresses(deps.db)).map(({ ip }) => ip),
		...(await queries.findWrongVisitDays(deps.db)).map(({ day }) => day),
		...(await queries.findWrongVisitSums(deps.db)),
	];
	for (const what of visits) problems.push({ kind: 'wrong-visits', what });
	return { problems, blobs, bytes };
}

async function checkBlob(
	deps: Deps,
	{ id, storage_key: key, sha256 }: { id: string; storage_key: string; sha256: string },
): Promise<Problem | null> {
	const found = await hashStored(deps, key);
	if (found === sha256) return null;
	// The row and the bytes were removed meanwhile.
	if (!(await queries.hasBlob(deps.db, id))) return null;
	return { kind: found === null ? 'bytes-missing' : 'bytes-differ', what: key };
}

async function hashStored(deps: Deps, key: string): Promise<string | null> {
	try {
		return (await hashBytes(await deps.storage.read(key))).sha256;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
}
