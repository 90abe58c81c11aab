import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { describeError, describeFileFailure } from '../../../platform/log.ts';
import type { CopyTemplate } from '../../../platform/pdf/copy-template.ts';
import { PdfError, type WatermarkedPdf, watermarkPdf } from '../../../platform/pdf/watermark.ts';
import { deleteUnusedBlobs, insertBlob, lockBlobs, type NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import type { Insert } from '../../../platform/storage/spliced-bytes.ts';
import { tryRemoveMany } from '../../../platform/storage/storage.ts';
import { withTemporaryFolder } from '../../../platform/storage/temporary-folder.ts';
import { enqueueCopies } from '../book.jobs.ts';
import { type CopyPlan, isCopyDue, planCopies } from './copy-plan.ts';
import * as queries from './watermark.queries.ts';

/** Delays before the retries after temporary failures. If the last retry fails, the copy has failed for good. */
const retryDelaysSeconds = [60, 600, 3600];
const readersPerBatch = 200;
/** Free space that is required for the parts of a copy, which are about 10 KB. */
const partsMaxBytes = 1024 * 1024;
/** Minimum time between two progress updates of open pages. */
const progressIntervalMs = 1000;

/** Job handler: makes one due copy of a user, and runs again until no copy is due. */
export async function makeCopiesOfUser(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { userId } = payload as { userId: string };
	const due = (await planCopies(deps, userId)).filter(isCopyDue).sort((a, b) => attemptsOf(a) - attemptsOf(b));
	const [next, other] = due;
	if (next === undefined) return;
	const isLater = (await makeCopy(deps, next)) === 'later';
	publishCopies(deps, userId);
	// Copies that have not failed are made before a failed one is retried.
	const hasOther = other !== undefined && attemptsOf(other) === 0;
	job.reschedule(isLater && !hasOther ? retryDelaysSeconds[attemptsOf(next)] : 0);
}

/** Job handler: enqueues the copies of all readers of the book, in batches. */
export async function enqueueCopiesBatch(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { after } = payload as { after: string };
	const readers = await queries.listReaders(deps.db, after, readersPerBatch);
	const last = readers.at(-1);
	if (last === undefined) return;
	await inTransaction(deps.db, async (tx) => {
		for (const userId of readers) await enqueueCopies(deps, tx, userId);
		await job.savePayload(tx, { after: last });
	});
	job.reschedule();
}

function attemptsOf({ row, target }: CopyPlan): number {
	return row?.wanted_source_id === target.sourceId && row.wanted_watermark === target.watermarkHash ? row.attempts : 0;
}

async function makeCopy(deps: Deps, plan: CopyPlan): Promise<'done' | 'later'> {
	await startCopy(deps, plan);
	publishCopies(deps, plan.target.userId);
	try {
		await withTemporaryFolder(deps, async (folder) => {
			const { id: sourceId, storage_key: storageKey, size_bytes: sizeBytes } = plan.original;
			const template = await queries.findTemplate(deps.db, sourceId);
			await requireFreeSpace(deps.storage, template === undefined ? sizeBytes * 3 : partsMaxBytes);
			const layout = template === undefined ? null : (JSON.parse(template.layout) as CopyTemplate);
			const progress = createProgressReporter(deps, plan);
			const work = { storageKey, line: plan.watermark, template: layout, folder, onProgress: progress.report };
			const made = await watermarkPdf(deps.storage, work).finally(progress.end);
			if (made.isComplete) return storeCopy(deps, plan, made, null);
			const baseId =
				made.newTemplate === null ? template?.blob_id : await storeTemplate(deps, sourceId, made.newTemplate);
			// Another process has stored its template first. The copy is still due, so the job makes it again from that one.
			if (baseId !== undefined) await storeCopy(deps, plan, made, { id: baseId, inserts: made.inserts });
		});
		return 'done';
	} catch (error) {
		return recordFailure(deps, plan, error);
	}
}

/** Saves the target of the copy. Deletes a copy of an earlier original, which the user may no longer read. */
async function startCopy(deps: Deps, plan: CopyPlan): Promise<void> {
	const { target, row } = plan;
	const keys = await inTransaction(deps.db, async (tx) => {
		await queries.saveCopyTarget(tx, target, attemptsOf(plan), isoAt(deps.clock));
		if (row?.blob_id == null || row.source_id === target.sourceId) return [];
		await queries.updateCopy(tx, target, {
			...{ blob_id: null, base_blob_id: null, inserts: null },
			...{ source_id: null, page_count: null, made_at: null },
		});
		return deleteUnusedBlobs(tx, [row.blob_id]);
	});
	await tryRemoveMany(deps, keys);
}

/** Saves the progress of a copy at intervals and notifies the user's open pages. */
function createProgressReporter(deps: Deps, { target }: CopyPlan) {
	let lastAt = performance.now();
	let writing: Promise<void> | undefined;
	return {
		report(progress: number): void {
			if (writing !== undefined || performance.now() - lastAt < progressIntervalMs) return;
			lastAt = performance.now();
			writing = queries
				.updateCopy(deps.db, target, { percent: Math.round(progress * 100) })
				.then(() => publishCopies(deps, target.userId))
				.catch((error: unknown) =>
					deps.log.warn({ why: describeError(error) }, 'progress of a watermarked copy not saved'),
				)
				.finally(() => {
					writing = undefined;
				});
		},
		end: async () => writing,
	};
}

/** Stores a new template. @returns the blob id of its base; undefined if another process has stored one first */
async function storeTemplate(
	deps: Deps,
	sourceId: string,
	{ layout, baseFile }: { layout: CopyTemplate; baseFile: string },
): Promise<string | undefined> {
	const template = { source_id: sourceId, layout: JSON.stringify(layout) };
	return storeFile(deps, `copy-bases/${newId()}`, baseFile, async (tx, blob, now) => {
		await insertBlob(tx, { ...blob, contentType: 'application/octet-stream' }, now);
		return queries.insertTemplate(tx, { ...template, blob_id: blob.id, created_at: now });
	});
}

async function storeCopy(
	deps: Deps,
	{ target, original }: CopyPlan,
	{ file, pages }: WatermarkedPdf,
	base: { id: string; inserts: readonly Insert[] } | null,
): Promise<void> {
	let oldKeys: string[] = [];
	await storeFile(deps, `copies/${newId()}`, file, async (tx, blob, now) => {
		// Maintenance may have deleted the template while the copy was made.
		if (base !== null && !(await lockBlobs(tx, [base.id])).has(base.id)) return false;
		const old = await queries.findCopyBlobId(tx, target.userId, target.edition);
		await insertBlob(tx, { ...blob, contentType: 'application/pdf' }, now);
		// False if the user was deleted, or another copy is required by now.
		const isSaved = await queries.updateCopy(tx, target, {
			state: 'ready',
			percent: 100,
			failure: null,
			blob_id: blob.id,
			base_blob_id: base?.id ?? null,
			inserts: base === null ? null : JSON.stringify(base.inserts),
			source_id: original.id,
			page_count: pages,
			made_at: now,
			updated_at: now,
		});
		oldKeys = isSaved && old !== null ? await deleteUnusedBlobs(tx, [old]) : [];
		return isSaved;
	});
	await tryRemoveMany(deps, oldKeys);
}

/**
 * Moves a local file to the storage and saves its row in a transaction with `save`. Deletes both if `save` returns false.
 * @returns the id of the blob; undefined if it was deleted
 */
async function storeFile(
	deps: Deps,
	storageKey: string,
	file: string,
	save: (tx: Db, blob: Omit<NewBlob, 'contentType'>, now: string) => Promise<boolean>,
): Promise<string | undefined> {
	const id = newId();
	const stored = await deps.storage.adopt(storageKey, file);
	let isStored = false;
	try {
		isStored = await inTransaction(deps.db, async (tx) => {
			const isSaved = await save(tx, { id, storageKey, ...stored }, isoAt(deps.clock));
			if (!isSaved) await deleteUnusedBlobs(tx, [id]);
			return isSaved;
		});
		return isStored ? id : undefined;
	} finally {
		if (!isStored) await tryRemoveMany(deps, [storageKey]);
	}
}

async function recordFailure(deps: Deps, plan: CopyPlan, error: unknown): Promise<'done' | 'later'> {
	const { target } = plan;
	const attempts = attemptsOf(plan);
	const { why, isPassing } = describeFileFailure(error);
	const isLater = isPassing && attempts < retryDelaysSeconds.length;
	const failure = error instanceof PdfError ? error.failure : 'heavy';
	deps.log[isPassing ? 'warn' : 'info'](
		{ edition: target.edition, original: target.sourceId, why, attempts },
		'no watermarked copy can be made',
	);
	await queries.updateCopy(deps.db, target, {
		state: isLater ? 'waiting' : 'failed',
		percent: 0,
		attempts: attempts + 1,
		failure: isLater ? null : failure,
		updated_at: isoAt(deps.clock),
	});
	return isLater ? 'later' : 'done';
}

function publishCopies(deps: Deps, userId: string): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'user', userId }, event: { topic: 'book-access' } });
}
