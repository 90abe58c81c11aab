import { AppError } from '../../../platform/app-error.ts';
import { realPathsOf } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { RunningJob } from '../../../platform/jobs/jobs.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { lockSpace } from '../spaces/spaces.queries.ts';
import { enqueuePurge } from '../trash/trash.jobs.ts';
import * as queries from '../tree/tree.queries.ts';
import { publishNodesChanged } from '../tree/tree.service.ts';
import { copyBatch } from './copy-batch.ts';
import type { CopyJobPayload } from './copy-job-payload.ts';
import { showNode } from './move-nodes.ts';

/** Runs one step of copying a folder; the progress is saved in the same transaction. */
export async function runCopyStep(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as CopyJobPayload;
	// This copy was started by an older version, which stored its progress in another format.
	if (work.stack === undefined) return undoCopy(deps, work, 'update');
	if (work.stack.length === 0) return finishCopy(deps, work);
	try {
		const isOver = await inTransaction(deps.db, async (tx) => {
			const root = await lockUnfinishedCopy(tx, work);
			if (root === undefined) return true;
			await job.savePayload(tx, await copyBatch(deps, tx, work, root));
			return false;
		});
		if (!isOver) job.reschedule();
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		if (error.code !== 'QUOTA_EXCEEDED' && error.code !== 'TOO_DEEP') throw error;
		await undoCopy(deps, work, error.code === 'TOO_DEEP' ? 'depth' : 'quota');
	}
}

async function finishCopy(deps: Deps, work: CopyJobPayload): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const root = await lockUnfinishedCopy(tx, work);
		if (root !== undefined) await showNode(tx, root);
	});
	publishNodesChanged(deps, work.ownerId);
}

async function undoCopy(
	deps: Deps,
	work: Pick<CopyJobPayload, 'rootId' | 'ownerId' | 'name'> & Partial<Pick<CopyJobPayload, 'by'>>,
	reason: 'quota' | 'depth' | 'update',
): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		const root = await lockUnfinishedCopy(tx, work);
		if (root === undefined) return;
		await queries.updateNode(tx, root.id, { state: 'leaving' });
		await enqueuePurge(deps, tx, work.ownerId, [root.id]);
		await recordAudit(deps, tx, work.by ?? systemCaller, 'folder-copy-undone', ['node', root.id], {
			name: work.name,
			reason,
		});
	});
	deps.log.info({ copy: work.rootId, reason }, 'copy of a folder undone');
	deps.wakeWorkers();
	publishNodesChanged(deps, work.ownerId);
}

/**
 * Locks the space, and finds the outermost folder of an unfinished copy. Returns undefined if this folder, a parent or
 * the owner was deleted permanently; a parent in the trash does not end the copy.
 */
async function lockUnfinishedCopy(tx: Db, work: Pick<CopyJobPayload, 'rootId' | 'ownerId'>) {
	if (!(await lockSpace(tx, work.ownerId))) return undefined;
	const root = await queries.findNodeIncludingTrashed(tx, work.rootId);
	if (root?.state !== 'arriving') return undefined;
	const above = realPathsOf(root.path);
	const folders = await queries.findFoldersIncludingTrashed(tx, work.ownerId, above);
	const isPresent = folders.length === above.length && folders.every(({ state }) => state !== 'leaving');
	return isPresent ? root : undefined;
}
