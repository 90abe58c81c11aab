import { chatMailDelaySeconds, chatSides } from '#contract/chat/chat.ts';
import { deleteExpiredWindows } from '../../../platform/auth/rate-limits/rate-limits.queries.ts';
import { clockToleranceSeconds, isoAt } from '../../../platform/clock.ts';
import { readInSteps } from '../../../platform/cursor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob, type RunningJob } from '../../../platform/jobs/jobs.ts';
import { deleteExpiredLeases, deleteExpiredProcessLeases } from '../../../platform/locking/leases/leases.queries.ts';
import { ignoreMissingFile, tryRemoveMany } from '../../../platform/storage/storage.ts';
import { removeStaleTemporaryFolders } from '../../../platform/storage/temporary-folder.ts';
import { listAccountDeletions } from '../../accounts/index.ts';
import { deleteStaleCopies, findStoredQrBlobId, listIncompleteCopies } from '../../book/index.ts';
import { deleteErasedMessages, listChatKeysBeingDeleted, listConversationsBeingDeleted } from '../../chat/index.ts';
import { deleteOldLookups } from '../../credentials/index.ts';
import { listKeysPendingPurge, purgeExpired, resumeOrDiscardUploads } from '../../files/index.ts';
import { maxMailRetrySeconds } from '../../mail/index.ts';
import { applyVisitRetention, deleteUnusedFiles, listMissingFiles } from '../../storefront/index.ts';
import { spaceWarningsJob } from '../disk-space-warnings/disk-space-warnings.service.ts';
import * as queries from './tasks.queries.ts';

/** Only older objects without a row are orphaned, because purchases and uploads store bytes before their row. */
const inFlightSeconds = 3600;
/** The hourly maintenance removes unused blobs much earlier, so an older unused blob is an error. */
const unusedSeconds = 24 * 3600;
/** One day more than the age at which the rows of abandoned uploads are deleted. */
const abandonedMultipartSeconds = 8 * 24 * 3600;
const batch = 400;
/** Blobs are checked concurrently, because each takes a while in a remote store. */
const checkConcurrency = 8;

/** Runs after a start: finishes interrupted uploads and removes the orphaned objects of a killed process. */
export async function repairAfterStart(deps: Deps): Promise<void> {
	// With SQLite and local files, no work from before this start is in progress. In other cases only older objects are
	// orphaned, because other processes may be working and a remote store has its own clock.
	const isAlone = deps.connection.kind === 'sqlite' && deps.storage.multipart === null;
	const olderThan = new Date(deps.clock.now().getTime() - (isAlone ? 0 : inFlightSeconds * 1000));
	await resumeOrDiscardUploads(deps);
	await removeStaleTemporaryFolders(deps);
	await deps.storage.removeDeferred();
	await removeOrphanedObjects(deps, olderThan);
}

export const maintenanceJob = 'upkeep';
/** No job has a longer pause. */
const maintenanceIntervalSeconds = 3600;

/** Enqueues the scheduled tasks once, however many processes start; any process may run a due task. */
export async function scheduleMaintenance(deps: Deps): Promise<void> {
	for (const kind of [maintenanceJob, spaceWarningsJob])
		await enqueueJob(deps, deps.db, kind, {}, { id: kind, lane: 'upkeep' });
}

export async function runHourlyMaintenance(deps: Deps, _payload: unknown, job: RunningJob): Promise<void> {
	await collectGarbage(deps);
	job.reschedule(maintenanceIntervalSeconds);
}

/**
 * Runs once a minute: makes jobs and mails due that would wait longer than they ever do, because the clock was ahead, or
 * was set back since they were planned. Otherwise after a day's change all mails and maintenance would wait for a day.
 */
export async function correctDueTimes({ db, clock }: Deps): Promise<void> {
	const now = isoAt(clock);
	const later = (seconds: number) => isoAt(clock, seconds + clockToleranceSeconds);
	await queries.correctJobs(db, now, later(maintenanceIntervalSeconds));
	await queries.correctMails(db, now, { latestRetry: later(maxMailRetrySeconds), latestCreation: later(0) });
	for (const side of chatSides) await queries.correctChatMails(db, side, now, later(chatMailDelaySeconds));
}

/**
 * Runs hourly: removes unused files of the storefront, unreferenced blobs, expired trash, abandoned uploads, stored files
 * without a row, expired leases and rate limit windows, old lookups and visits, erased messages, and outdated copies of
 * the book.
 */
export async function collectGarbage(deps: Deps): Promise<void> {
	// Before unreferenced blobs are searched for, so that the blobs of these files are deleted too.
	await deleteUnusedFiles(deps);
	const keptIds = await listBlobsOfSettings(deps);
	const blobs = await queries.findUnreferencedBlobs(deps.db, keptIds, isoAt(deps.clock, -inFlightSeconds));
	if (blobs.length > 0) {
		const [ids, keys] = [blobs.map(({ id }) => id), blobs.map(({ storageKey }) => storageKey)];
		// The rows are deleted first. A file without a row is removed later, but a row without its file is data loss.
		await queries.deleteBlobs(deps.db, ids);
		await tryRemoveMany(deps, keys);
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
	// Work on the storage comes last, because an unavailable store ends the run.
	await resumeOrDiscardUploads(deps);
	await deps.storage.removeDeferred();
	await removeOrphanedObjects(deps, new Date(deps.clock.now().getTime() - inFlightSeconds * 1000));
	await abortAbandonedMultiparts(deps);
}

async function listBlobsOfSettings(deps: Deps): Promise<string[]> {
	const qr = await findStoredQrBlobId(deps);
	return qr === null ? [] : [qr];
}

async function removeOrphanedObjects(deps: Deps, olderThan: Date): Promise<void> {
	for await (const keys of findOrphanedObjects(deps, olderThan)) {
		await deps.storage.remove(keys);
		for (const key of keys) deps.log.info({ key }, 'orphaned object removed');
	}
}

/** Yields the keys of stored objects older than `olderThan` that belong to no blob and no unfinished upload. */
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

/** Aborts multipart uploads without a row. Otherwise the store would keep them forever. */
async function abortAbandonedMultiparts(deps: Deps): Promise<void> {
	const { multipart } = deps.storage;
	if (multipart === null) return;
	const olderThan = new Date(deps.clock.now().getTime() - abandonedMultipartSeconds * 1000);
	for await (const { key, handle, startedAt } of multipart.listPending()) {
		if (startedAt >= olderThan || (await queries.hasUploadUnder(deps.db, key))) continue;
		await multipart.abort(key, handle);
		deps.log.info({ key }, 'abandoned multipart upload aborted');
	}
}

/** Compares rows with each other and with the stored bytes. Changes nothing, and can run beside a server. */
export async function checkIntegrity(deps: Deps) {
	const problems: queries.Problem[] = [];
	let blobs = 0;
	let bytes = 0;
	const readPage = (after: string) => queries.listBlobs(deps.db, after, batch);
	const pages = readInSteps('', batch, readPage, ({ id }) => id);
	for await (const page of pages) {
		blobs += page.length;
		bytes += page.reduce((sum, blob) => sum + blob.size_bytes, 0);
		for (let at = 0; at < page.length; at += checkConcurrency) {
			const checks = page.slice(at, at + checkConcurrency).map((blob) => checkBlob(deps, blob));
			problems.push(...(await Promise.all(checks)).filter((problem) => problem !== null));
		}
	}
	const orphanedKeys: string[] = [];
	for await (const keys of findOrphanedObjects(deps, new Date(deps.clock.now().getTime() - inFlightSeconds * 1000)))
		orphanedKeys.push(...keys);
	const keysBeingDeleted = new Set([
		...(await listKeysPendingPurge(deps.db)),
		...(await listChatKeysBeingDeleted(deps.db)),
	]);
	for await (const keys of deps.storage.listDeferred()) for (const key of keys) keysBeingDeleted.add(key);
	for (const key of orphanedKeys) {
		// A purge in progress has its keys in `keysBeingDeleted`, or has removed their bytes.
		if (!keysBeingDeleted.has(key) && (await deps.storage.findSize(key)) !== null)
			problems.push({ kind: 'orphaned-object', what: key });
	}
	const removed = (await listAccountDeletions(deps)).map((removal) => removal.id);
	const removedChats = await listConversationsBeingDeleted(deps.db);
	problems.push(...(await queries.findInconsistentRows(deps.db, removed, removedChats)));
	const unusedSince = isoAt(deps.clock, -unusedSeconds);
	const unused = await queries.findUnreferencedBlobs(deps.db, await listBlobsOfSettings(deps), unusedSince);
	problems.push(...unused.map(({ storageKey }) => ({ kind: 'unused-blob', what: storageKey })));
	problems.push(...(await listMissingFiles(deps.db)).map((what) => ({ kind: 'storefront-file-missing', what })));
	problems.push(...(await listIncompleteCopies(deps.db)).map((what) => ({ kind: 'incomplete-copy', what })));
	return { problems, blobs, bytes };
}

async function checkBlob(
	deps: Deps,
	{ id, storage_key: key, sha256 }: { id: string; storage_key: string; sha256: string },
): Promise<queries.Problem | null> {
	const stored = await deps.storage.hash(key).catch(ignoreMissingFile);
	if (stored?.sha256 === sha256) return null;
	// The row and the bytes were removed meanwhile.
	if (!(await queries.hasBlob(deps.db, id))) return null;
	return { kind: stored === null ? 'bytes-missing' : 'bytes-differ', what: key };
}
