import { join } from 'node:path';
import { inTransaction } from '../../db/transaction.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import type { RunningJob } from '../../platform/jobs/jobs.ts';
import { MarkError, type MarkFailure, markPdf } from '../../platform/pdf/mark.ts';
import { isStoreGone, reasonOf } from '../../platform/reason.ts';
import { withScratch } from '../../platform/scratch.ts';
import { requireFreeSpace } from '../../platform/storage/free-space.ts';
import { removeOrLeaveBehind } from '../../platform/storage/leave-behind.ts';
import type { StoredBytes } from '../../platform/storage/storage.ts';
import { deleteUnusedBlobs, insertBlob } from '../files/files.service.ts';
import { type CopyPlan, isDue, planCopies } from './copies.plan.service.ts';
import * as queries from './copies.queries.ts';
import { wishCopies } from './copies.wish.service.ts';

/** Before each further try of what failed for the machine's sake; after the last, there is no copy. */
const pausesSeconds = [60, 600, 3600];
const readersAtOnce = 200;
/** So often a page that shows the progress hears of it. */
const tellEveryMs = 1000;

/** The job: makes one of a person's copies that are due, then comes again until none is. */
export async function makeCopies(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { userId } = payload as { userId: string };
	const due = (await planCopies(deps, userId)).filter(isDue).sort((a, b) => triesOf(a) - triesOf(b));
	const [next, other] = due;
	if (next === undefined) return;
	const isLater = (await makeCopy(deps, next)) === 'later';
	publishCopies(deps, userId);
	// Another that has not failed yet need not wait for this one.
	const hasOther = other !== undefined && triesOf(other) === 0;
	job.again(isLater && !hasOther ? pausesSeconds[triesOf(next)] : 0);
}

/** The job: a wish for each who may read the book, some at a time. */
export async function wishAllCopies(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { after } = payload as { after: string };
	const readers = await queries.listReaders(deps.db, after, readersAtOnce);
	const last = readers.at(-1);
	if (last === undefined) return;
	await inTransaction(deps.db, async (tx) => {
		for (const userId of readers) await wishCopies(deps, tx, userId);
		await job.savePayload(tx, { after: last });
	});
	job.again();
}

/** How often this very copy has failed. */
function triesOf({ row, wish }: CopyPlan): number {
	return row?.wanted_source_id === wish.sourceId && row.wanted_mark === wish.mark ? row.tries : 0;
}

async function makeCopy(deps: Deps, plan: CopyPlan): Promise<'done' | 'later'> {
	await beginCopy(deps, plan);
	publishCopies(deps, plan.wish.userId);
	try {
		await withScratch(deps, async (folder) => {
			await requireFreeSpace(deps.storage, plan.original.size_bytes * 2);
			const tell = progressOf(deps, plan);
			const work = { storageKey: plan.original.storage_key, line: plan.line, folder, tell: tell.hear };
			const { pages } = await markPdf(deps.storage, work).finally(tell.end);
			await keepCopy(deps, plan, join(folder, 'out.pdf'), pages);
		});
		return 'done';
	} catch (error) {
		// Comes again for as long as it takes.
		if (isStoreGone(error)) throw error;
		return failCopy(deps, plan, error);
	}
}

/** A copy of another original is nobody's to read any more: its bytes go now. */
async function beginCopy(deps: Deps, plan: CopyPlan): Promise<void> {
	const { wish, row } = plan;
	const keys = await inTransaction(deps.db, async (tx) => {
		await queries.saveWish(tx, {
			user_id: wish.userId,
			edition: wish.edition,
			wanted_source_id: wish.sourceId,
			wanted_mark: wish.mark,
			tries: triesOf(plan),
			updated_at: isoAt(deps.clock),
		});
		if (row?.blob_id == null || row.source_id === wish.sourceId) return [];
		await queries.updateCopy(tx, wish, { blob_id: null, source_id: null, page_count: null, made_at: null });
		return deleteUnusedBlobs(tx, [row.blob_id]);
	});
	await removeOrLeaveBehind(deps, keys);
}

/** Writes down how far a copy is, seldom enough, and tells the person's open pages. */
function progressOf(deps: Deps, { wish }: CopyPlan): { hear: (progress: number) => void; end: () => Promise<void> } {
	let lastAt = performance.now();
	let writing: Promise<void> = Promise.resolve();
	let isBusy = false;
	return {
		hear(progress) {
			if (isBusy || performance.now() - lastAt < tellEveryMs) return;
			lastAt = performance.now();
			isBusy = true;
			writing = queries
				.updateCopy(deps.db, wish, { percent: Math.round(progress * 100) })
				.then(() => publishCopies(deps, wish.userId))
				.catch((error: unknown) => deps.log.warn({ why: reasonOf(error) }, 'progress not written'))
				.finally(() => {
					isBusy = false;
				});
		},
		end: () => writing,
	};
}

/** Bytes first, then the rows; the copy that stood there goes. */
async function keepCopy(deps: Deps, { wish, original }: CopyPlan, file: string, pages: number): Promise<void> {
	const id = newId();
	const storageKey = `copies/${id}.pdf`;
	const stored: StoredBytes = await deps.storage.adopt(storageKey, file);
	let isKept = false;
	try {
		const oldKeys = await inTransaction(deps.db, async (tx) => {
			const old = await queries.findCopyBlobId(tx, wish.userId, wish.edition);
			const now = isoAt(deps.clock);
			await insertBlob(tx, {
				id,
				storage_key: storageKey,
				size_bytes: stored.sizeBytes,
				sha256: stored.sha256,
				content_type: 'application/pdf',
				created_at: now,
			});
			isKept = await queries.updateCopy(tx, wish, {
				state: 'ready',
				percent: 100,
				failure: null,
				blob_id: id,
				source_id: original.id,
				page_count: pages,
				made_at: now,
				updated_at: now,
			});
			// The person has gone meanwhile, or something else is wanted.
			if (!isKept) return deleteUnusedBlobs(tx, [id]);
			return old === null ? [] : deleteUnusedBlobs(tx, [old]);
		});
		await removeOrLeaveBehind(deps, oldKeys);
	} catch (error) {
		if (!isKept) await removeOrLeaveBehind(deps, [storageKey]);
		throw error;
	}
}

async function failCopy(deps: Deps, plan: CopyPlan, error: unknown): Promise<'done' | 'later'> {
	const { wish } = plan;
	const tries = triesOf(plan);
	const isPassing = !(error instanceof MarkError) || error.isPassing;
	const isLater = isPassing && tries < pausesSeconds.length;
	const failure: MarkFailure = error instanceof MarkError ? error.reason : 'heavy';
	deps.log[isPassing ? 'warn' : 'info'](
		{ edition: wish.edition, original: wish.sourceId, why: reasonOf(error), tries },
		'no marked copy can be made',
	);
	await queries.updateCopy(deps.db, wish, {
		state: isLater ? 'waiting' : 'failed',
		percent: 0,
		tries: tries + 1,
		failure: isLater ? null : failure,
		updated_at: isoAt(deps.clock),
	});
	return isLater ? 'later' : 'done';
}

function publishCopies(deps: Deps, userId: string): void {
	deps.bus.publish({ kind: 'hint', audience: { to: 'user', userId }, hint: { topic: 'book-access' } });
}
