import { availableParallelism } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { limits } from '#contract/core/limits.ts';
import { previewOf } from '#contract/files/file-types.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { createThumbnail as encodeThumbnail, ImageError } from '../../../platform/images/images.ts';
import { type BatchJob, enqueueJob, hasDueJobs } from '../../../platform/jobs/jobs.ts';
import { createByteSemaphore, createFairLimiter } from '../../../platform/locking/concurrency-limiter.ts';
import { describeFileFailure } from '../../../platform/log.ts';
import { drawFirstPage } from '../../../platform/pdf/first-page.ts';
import { type BlobRow, findBlob, findBlobs } from '../../../platform/storage/blobs.queries.ts';
import { fileAccess } from '../tree/file-access.ts';
import { canHaveThumbnail } from '../tree/nodes.ts';
import { publishNodesChanged } from '../tree/tree.service.ts';
import { storeThumbnails, type Thumbnail } from './store-thumbnails.ts';
import * as queries from './thumbnails.queries.ts';

export const thumbnailJob = 'thumbnail';
/** PDFs take longer than pictures, so they have a kind and a lane of their own. */
export const pdfThumbnailJob = 'pdf-thumbnail';

const pdfType = 'application/pdf';

interface ThumbnailPayload {
	blobId: string;
	/** Number of temporary failures so far. */
	tries?: number;
}

const publishIntervalMs = 2000;

/** Delays before the retries after temporary failures. After the last retry, the file has no thumbnail. */
const retryDelaysSeconds = [60, 600, 3600];

/** Memory for the files of all thumbnails in progress. A PDF needs a separate process, so it reserves all of it. */
const sourceMemoryBytes = 64 * 1024 * 1024;
const sourceMemory = createByteSemaphore(sourceMemoryBytes);

/** Decoding uses native threads, of which libuv has four, so one for each processor keeps all of them busy. */
const decoding = createFairLimiter(Math.min(availableParallelism(), 3));

/** Enqueues the thumbnail job if the type can have a thumbnail; call `deps.wakeWorkers()` after the commit. */
export async function queueThumbnail(deps: Deps, tx: Db, blob: { id: string; contentType: string }): Promise<void> {
	if (!canHaveThumbnail(blob.contentType)) return;
	const isPdf = blob.contentType === pdfType;
	const options = { id: `thumbnail-${blob.id}`, lane: isPdf ? 'documents' : 'pictures' } as const;
	await enqueueJob(deps, tx, isPdf ? pdfThumbnailJob : thumbnailJob, { blobId: blob.id }, options);
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

/** Job handler: makes thumbnails, or records that none can be made. Retries after a temporary failure. */
export async function makeThumbnails(deps: Deps, jobs: readonly BatchJob[]): Promise<void> {
	const blobIds = jobs.map((job) => (job.payload as ThumbnailPayload).blobId);
	const blobs = new Map((await findBlobs(deps.db, blobIds)).map((blob) => [blob.id, blob]));
	const made = await queries.listMade(deps.db, blobIds);
	const drawings = await Promise.allSettled(jobs.map((job) => runJob(deps, job, blobs, made)));
	const thumbnails = drawings.flatMap((drawing) => (drawing.status === 'fulfilled' ? (drawing.value ?? []) : []));
	if (thumbnails.length > 0) {
		await storeThumbnails(deps, thumbnails);
		await publishSoon(
			deps,
			thumbnails.map(({ blobId }) => blobId),
		);
	}
	const failed = drawings.find((drawing) => drawing.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}

/** @returns null if the job is to run again, or there is nothing to do */
async function runJob(
	deps: Deps,
	job: BatchJob,
	blobs: ReadonlyMap<string, BlobRow>,
	made: ReadonlySet<string>,
): Promise<Thumbnail | null> {
	const { blobId, tries = 0 } = job.payload as ThumbnailPayload;
	const blob = blobs.get(blobId);
	if (blob === undefined || made.has(blobId)) return null;
	const draw = () => drawThumbnail(deps, blob);
	// A PDF is drawn in a process of its own.
	const { picture, failure = undefined } = await (blob.content_type === pdfType ? draw() : decoding.run('', draw));
	const retryDelay = failure?.isPassing === true ? retryDelaysSeconds[tries] : undefined;
	if (failure !== undefined) {
		const level = failure.isPassing ? 'warn' : 'info';
		deps.log[level]({ blob: blobId, why: failure.why, tries }, 'no thumbnail can be made');
	}
	if (retryDelay === undefined) return { blobId, picture };
	await job.savePayload(deps.db, { blobId, tries: tries + 1 });
	job.reschedule(retryDelay);
	return null;
}

/** Re-encodes and stores a poster as the video's thumbnail. @throws AppError NOT_FOUND, INVALID_INPUT */
export async function savePoster(deps: Deps, caller: Caller, nodeId: string, bytes: Buffer): Promise<void> {
	const node = await fileAccess().requireNode(deps.db, caller, nodeId);
	if (node.blob_id === null || previewOf(node.name, node.contentType) !== 'video') throw new AppError('NOT_FOUND');
	const picture = await encodeThumbnail(bytes, limits.thumbnailPx).catch((error: unknown) => {
		if (!(error instanceof ImageError)) throw error;
		throw new AppError('INVALID_INPUT', { fields: { file: 'error_screenshot_not_image' } });
	});
	await storeThumbnails(deps, [{ blobId: node.blob_id, picture }]);
	publishNodesChanged(deps, node.owner_id);
}

/** Draws a thumbnail as a WebP image; `picture` is null if none could be made from the bytes. */
async function drawThumbnail(deps: Deps, blob: BlobRow) {
	const isPdf = blob.content_type === pdfType;
	if (!isPdf && blob.size_bytes > limits.thumbnailSourceMaxBytes) return { picture: null };
	const sourceBytes = isPdf ? sourceMemoryBytes : blob.size_bytes;
	await sourceMemory.acquire(sourceBytes);
	try {
		const source = isPdf ? await drawPdf(deps, blob) : await readPicture(deps, blob);
		return { picture: await encodeThumbnail(source, limits.thumbnailPx) };
	} catch (error) {
		return { picture: null, failure: describeFileFailure(error) };
	} finally {
		sourceMemory.release(sourceBytes);
	}
}

function drawPdf(deps: Deps, blob: BlobRow): Promise<Buffer> {
	return drawFirstPage(deps.storage, { storageKey: blob.storage_key, sizeBytes: blob.size_bytes }, limits.thumbnailPx);
}

/**
 * Returns the path of a picture, or its bytes if the store has no paths. Measured: 15.3 ms of processor time for a
 * thumbnail instead of 18.0 with the bytes, because a large buffer makes V8 collect garbage; sharp alone takes 14.6.
 */
async function readPicture({ storage }: Deps, blob: BlobRow): Promise<string | Buffer> {
	return storage.localPath(blob.storage_key) ?? buffer(await storage.read(blob.storage_key));
}

/** Owners of files with a new thumbnail that no event has reported yet. One event reports many thumbnails. */
const unpublished = { owners: new Set<string>(), lastAt: 0 };

async function publishSoon(deps: Deps, blobIds: readonly string[]): Promise<void> {
	for (const owner of await queries.listSpacesOfBlobs(deps.db, blobIds)) unpublished.owners.add(owner);
	const now = performance.now();
	if (now - unpublished.lastAt < publishIntervalMs && (await hasDueJobs(deps, 'pictures'))) return;
	unpublished.lastAt = now;
	for (const owner of unpublished.owners) publishNodesChanged(deps, owner);
	unpublished.owners.clear();
}
