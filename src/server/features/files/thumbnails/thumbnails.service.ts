import { buffer } from 'node:stream/consumers';
import { limits } from '#contract/core/limits.ts';
import { previewOf } from '#contract/files/file-types.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { createThumbnail as encodeThumbnail, ImageError } from '../../../platform/images/images.ts';
import { enqueueJob, hasDueJobs, type RunningJob } from '../../../platform/jobs/jobs.ts';
import { createByteSemaphore } from '../../../platform/locking/concurrency-limiter.ts';
import { describeFileFailure } from '../../../platform/log.ts';
import { drawFirstPage } from '../../../platform/pdf/first-page.ts';
import { type BlobRow, deleteUnusedBlobs, findBlob, insertBlob } from '../../../platform/storage/blobs.queries.ts';
import { tryRemoveMany } from '../../../platform/storage/storage.ts';
import { fileAccess } from '../tree/file-access.ts';
import { canHaveThumbnail } from '../tree/nodes.ts';
import { publishNodesChanged } from '../tree/tree.service.ts';
import * as queries from './thumbnails.queries.ts';

export const thumbnailJob = 'thumbnail';

const publishIntervalMs = 2000;

/** Delays before the retries after temporary failures. After the last retry, the file has no thumbnail. */
const retryDelaysSeconds = [60, 600, 3600];

/** Bounds the memory of thumbnails made at the same time. A PDF, which needs a process of its own, uses all of it. */
const sourcesMaxBytes = 64 * 1024 * 1024;
const sources = createByteSemaphore(sourcesMaxBytes);

/** Enqueues the thumbnail job if the type can have a thumbnail; call `deps.wakeWorkers()` after the commit. */
export async function queueThumbnail(deps: Deps, tx: Db, blob: { id: string; contentType: string }): Promise<void> {
	if (!canHaveThumbnail(blob.contentType)) return;
	await enqueueJob(deps, tx, thumbnailJob, { blobId: blob.id }, { id: `thumbnail-${blob.id}`, lane: 'pictures' });
}

/** Returns a file's thumbnail. @throws AppError NOT_FOUND, also when none was made yet (then the job is enqueued) */
export async function requireThumbnail(deps: Deps, caller: Caller, nodeId: string) {
	const node = await fileAccess().requireNode(deps.db, caller, nodeId);
	// A thumbnail of the book is book content too, so access to the bytes is required.
	await fileAccess().requireBlob(deps.db, caller, node.blob_id);
	const thumbnail = node.thumbBlobId === null ? undefined : await findBlob(deps.db, node.thumbBlobId);
	if (thumbnail !== undefined) return thumbnail;
	if (node.blob_id !== null && node.contentType !== null && node.thumbMadeAt === null) {
		await queueThumbnail(deps, deps.db, { id: node.blob_id, contentType: node.contentType });
		deps.wakeWorkers();
	}
	throw new AppError('NOT_FOUND');
}

/** Job handler: makes a thumbnail, or records that none can be made. Retries after a temporary failure. */
export async function makeThumbnail(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { blobId, tries = 0 } = payload as { blobId: string; tries?: number };
	const blob = await findBlob(deps.db, blobId);
	if (blob === undefined || (await queries.findThumbnail(deps.db, blobId)) !== undefined) return;
	const { picture, failure = undefined } = await drawThumbnail(deps, blob);
	const retryDelay = failure?.isPassing === true ? retryDelaysSeconds[tries] : undefined;
	if (failure !== undefined) {
		const level = failure.isPassing ? 'warn' : 'info';
		deps.log[level]({ blob: blobId, why: failure.why, tries }, 'no thumbnail can be made');
	}
	if (retryDelay !== undefined) {
		await job.savePayload(deps.db, { blobId, tries: tries + 1 });
		job.reschedule(retryDelay);
		return;
	}
	await storeThumbnail(deps, blobId, picture);
	await publishSoon(deps, blobId);
}

/** Re-encodes and stores a poster as the video's thumbnail. @throws AppError NOT_FOUND, INVALID_INPUT */
export async function savePoster(deps: Deps, caller: Caller, nodeId: string, bytes: Buffer): Promise<void> {
	const node = await fileAccess().requireNode(deps.db, caller, nodeId);
	if (node.blob_id === null || previewOf(node.name, node.contentType) !== 'video') throw new AppError('NOT_FOUND');
	const picture = await encodeThumbnail(bytes, limits.thumbnailPx).catch((error: unknown) => {
		if (!(error instanceof ImageError)) throw error;
		throw new AppError('INVALID_INPUT', { fields: { file: 'error_screenshot_not_image' } });
	});
	await storeThumbnail(deps, node.blob_id, picture);
	publishNodesChanged(deps, node.owner_id);
}

/** Draws a thumbnail as a WebP image; `picture` is null if none could be made from the bytes. */
async function drawThumbnail(deps: Deps, blob: BlobRow) {
	const isPdf = blob.content_type === 'application/pdf';
	if (!isPdf && blob.size_bytes > limits.thumbnailSourceMaxBytes) return { picture: null };
	const sourceBytes = isPdf ? sourcesMaxBytes : blob.size_bytes;
	await sources.acquire(sourceBytes);
	try {
		const source = isPdf ? await drawPdf(deps, blob) : await buffer(await deps.storage.read(blob.storage_key));
		return { picture: await encodeThumbnail(source, limits.thumbnailPx) };
	} catch (error) {
		return { picture: null, failure: describeFileFailure(error) };
	} finally {
		sources.release(sourceBytes);
	}
}

function drawPdf(deps: Deps, blob: BlobRow): Promise<Buffer> {
	return drawFirstPage(deps.storage, { storageKey: blob.storage_key, sizeBytes: blob.size_bytes }, limits.thumbnailPx);
}

/** Stores a thumbnail, and deletes an older thumbnail of the same blob. */
async function storeThumbnail(deps: Deps, blobId: string, picture: Buffer | null): Promise<void> {
	const id = newId();
	const storageKey = `thumbnails/${id}.webp`;
	const stored = picture === null ? null : await deps.storage.put(storageKey, picture);
	try {
		const unusedKeys = await inTransaction(deps.db, async (tx) => {
			const before = await queries.findThumbnail(tx, blobId);
			// The file and its old thumbnail may have been deleted meanwhile.
			if ((await findBlob(tx, blobId)) === undefined) return [storageKey];
			const now = isoAt(deps.clock);
			if (stored !== null) await insertBlob(tx, { id, storageKey, ...stored, contentType: 'image/webp' }, now);
			await queries.upsertThumbnail(tx, { blob_id: blobId, thumb_blob_id: stored && id, made_at: now });
			return before?.thumb_blob_id == null ? [] : deleteUnusedBlobs(tx, [before.thumb_blob_id]);
		});
		await tryRemoveMany(deps, unusedKeys);
	} catch (error) {
		await tryRemoveMany(deps, [storageKey]);
		throw error;
	}
}

/** Owners of files with a new thumbnail that no event has reported yet. One event reports many thumbnails. */
const unpublished = { owners: new Set<string>(), lastAt: 0 };

async function publishSoon(deps: Deps, blobId: string): Promise<void> {
	for (const owner of await queries.listSpacesOfBlob(deps.db, blobId)) unpublished.owners.add(owner);
	const now = performance.now();
	if (now - unpublished.lastAt < publishIntervalMs && (await hasDueJobs(deps, 'pictures'))) return;
	unpublished.lastAt = now;
	for (const owner of unpublished.owners) publishNodesChanged(deps, owner);
	unpublished.owners.clear();
}
