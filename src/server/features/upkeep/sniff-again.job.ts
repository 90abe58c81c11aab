import { inTransaction } from '../../db/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import type { RunningJob } from '../../platform/jobs/jobs.ts';
import { sniffStored } from '../../platform/sniff.ts';
import * as queries from './sniff-again.queries.ts';

/** Enqueued by migration 0019. */
export const sniffAgainJob = 'sniff-again';

const batch = 50;

/** The types that are recognised in more files since migration 0019. */
const newlyKnown = /^(?:audio\/|application\/pdf$)/u;

/** One step: sniffs some of the files again whose type was not recognised when they were stored, and saves it. */
export async function sniffAgain(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const { after } = payload as { after: string };
	const blobs = await queries.listPlainBlobs(deps.db, after, batch);
	const types = new Map<string, string>();
	for (const blob of blobs) {
		const type = await sniffIfThere(deps, blob);
		if (type !== null && newlyKnown.test(type)) types.set(blob.id, type);
	}
	const last = blobs.at(-1);
	if (last === undefined) return;
	await inTransaction(deps.db, async (tx) => {
		for (const [id, type] of types) await queries.saveType(tx, id, type);
		await job.savePayload(tx, { after: last.id });
	});
	job.again();
}

/** @returns null when the bytes have been deleted meanwhile */
async function sniffIfThere(deps: Deps, blob: { storageKey: string; sizeBytes: number }): Promise<string | null> {
	try {
		return await sniffStored(deps.storage, blob);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
}
