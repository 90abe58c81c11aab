import { isoAt } from '../../../platform/clock.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { describeFileFailure } from '../../../platform/log.ts';
import { PdfError, readPdfOutline } from '../../../platform/pdf/watermark.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { withTemporaryFolder } from '../../../platform/storage/temporary-folder.ts';
import * as queries from '../editions/editions.queries.ts';
import { findOriginals, type Original } from '../watermark/copy-plan.ts';

/** Delays before the retries after temporary failures. If the last retry fails, the outline is stored as unreadable. */
const retryDelaysSeconds = [60, 600];

/** Job handler: reads the outlines that are not stored yet; retries later after a temporary failure. */
export async function readOutlines(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { tries = 0 } = payload as { tries?: number };
	const retryDelay = retryDelaysSeconds[tries];
	const originals = [...(await findOriginals(deps.db)).values()];
	if (originals.length === 0) return;
	const storedOutlines = await queries.listOutlines(
		deps.db,
		originals.map(({ id }) => id),
	);
	const missing = new Map(originals.map((original) => [original.id, original]));
	for (const { blob_id } of storedOutlines) missing.delete(blob_id);
	let isRetryNeeded = false;
	for (const original of missing.values()) {
		if (!(await readOutline(deps, original, retryDelay !== undefined))) isRetryNeeded = true;
		deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
	}
	if (!isRetryNeeded) return;
	await job.savePayload(deps.db, { tries: tries + 1 });
	job.reschedule(retryDelay);
}

/** @returns false when the outline must be read again later */
async function readOutline(deps: Deps, original: Original, mayTryAgain: boolean): Promise<boolean> {
	const row = { blob_id: original.id, read_at: isoAt(deps.clock) };
	try {
		const { entries, pageCount } = await withTemporaryFolder(deps, async (folder) => {
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
		const { why, isPassing } = describeFileFailure(error);
		const isLater = isPassing && mayTryAgain;
		deps.log[isPassing ? 'warn' : 'info']({ original: original.id, why }, 'no outline can be read');
		const failure = error instanceof PdfError ? error.failure : 'heavy';
		if (!isLater) await queries.insertOutline(deps.db, { ...row, entries: null, page_count: null, failure });
		return !isLater;
	}
}
