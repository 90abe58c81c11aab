import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import type { RunningJob } from '../../platform/jobs/jobs.ts';
import { MarkError, readPdfOutline } from '../../platform/pdf/mark.ts';
import { isStoreGone, reasonOf } from '../../platform/reason.ts';
import { withScratch } from '../../platform/scratch.ts';
import { requireFreeSpace } from '../../platform/storage/free-space.ts';
import { findOriginals, type Original } from '../copies/copies.service.ts';
import * as queries from './outlines.queries.ts';

/** Before each further try of what failed for the machine's sake; after the last, the file is taken for unreadable. */
const pausesSeconds = [60, 600];

/** The job: reads the outlines of the editions that are not known yet. What only failed because the machine was busy is tried again later. */
export async function readOutlines(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { tries = 0 } = payload as { tries?: number };
	const pause = pausesSeconds[tries];
	const originals = [...(await findOriginals(deps.db)).values()];
	if (originals.length === 0) return;
	const known = await queries.listOutlines(
		deps.db,
		originals.map(({ id }) => id),
	);
	const missing = new Map(originals.map((original) => [original.id, original]));
	for (const { blob_id } of known) missing.delete(blob_id);
	let isLater = false;
	for (const original of missing.values()) {
		if (!(await readOne(deps, original, pause !== undefined))) isLater = true;
		deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-settings' } });
	}
	if (!isLater) return;
	await job.savePayload(deps.db, { tries: tries + 1 });
	job.again(pause);
}

/** @returns false when it is to be tried again */
async function readOne(deps: Deps, original: Original, mayTryAgain: boolean): Promise<boolean> {
	const row = { blob_id: original.id, read_at: isoAt(deps.clock) };
	try {
		const { entries, pageCount } = await withScratch(deps, async (folder) => {
			await requireFreeSpace(deps.storage, original.size_bytes);
			return readPdfOutline(deps.storage, { storageKey: original.storage_key, folder });
		});
		await queries.insertOutline(deps.db, {
			...row,
			entries: JSON.stringify(entries),
			page_count: pageCount,
			failure: null,
		});
		return true;
	} catch (error) {
		// Comes again for as long as it takes.
		if (isStoreGone(error)) throw error;
		const isPassing = !(error instanceof MarkError) || error.isPassing;
		const isLater = isPassing && mayTryAgain;
		deps.log[isPassing ? 'warn' : 'info']({ original: original.id, why: reasonOf(error) }, 'no outline can be read');
		const failure = error instanceof MarkError ? error.reason : 'heavy';
		if (!isLater) await queries.insertOutline(deps.db, { ...row, entries: null, page_count: null, failure });
		return !isLater;
	}
}
