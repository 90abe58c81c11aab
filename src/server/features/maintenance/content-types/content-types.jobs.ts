import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { detectStoredContentType } from '../../../platform/storage/content-type.ts';
import { ignoreMissingFile } from '../../../platform/storage/storage.ts';
import * as queries from '../tasks/tasks.queries.ts';

/** Enqueued by migration 0019. */
export const redetectContentTypesJob = 'sniff-again';

const batch = 50;

/** Types for which the detection was improved together with migration 0019. */
const newlyRecognizedTypes = /^(?:audio\/|application\/pdf$)/u;

/** Job handler: detects again the types of a batch of files whose type was not recognised at first. */
export async function redetectContentTypes(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { after } = payload as { after: string };
	const blobs = await queries.listUnrecognizedBlobs(deps.db, after, batch);
	const types = new Map<string, string>();
	for (const blob of blobs) {
		// The bytes may have been deleted meanwhile.
		const type = await detectStoredContentType(deps.storage, blob).catch(ignoreMissingFile);
		if (type !== null && newlyRecognizedTypes.test(type)) types.set(blob.id, type);
	}
	const last = blobs.at(-1);
	if (last === undefined) return;
	await inTransaction(deps.db, async (tx) => {
		for (const [id, type] of types) await queries.updateContentType(tx, id, type);
		await job.savePayload(tx, { after: last.id });
	});
	job.reschedule();
}
