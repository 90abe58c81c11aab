import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { RunningJob } from '../../platform/jobs/jobs.ts';
import { lockUserStays } from '../account/account.service.ts';
import { recordAuditOf } from '../audit/audit.service.ts';
import { copySome } from './files.copy-step.ts';
import type { CopyWork } from './files.copy-work.ts';
import { pathBelow, placeOrRoot } from './files.nodes.ts';
import { reservedOwners } from './files.policy.ts';
import { beginPurge } from './files.purge.ts';
import * as queries from './files.queries.ts';
import { publishNodes, shareOf } from './files.service.ts';
import { freeNameFor, namesOf } from './names.ts';
import { addToFolder, lockSpace } from './totals.queries.ts';

/** One step of copying a folder, with how far it came saved in the same transaction. */
export async function continueCopy(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as CopyWork;
	// Begun by a version that kept its place in another way.
	if (work.stack === undefined) return undoCopy(deps, work, 'update');
	if (work.stack.length === 0) return finishCopy(deps, work);
	try {
		const isOver = await inTransaction(deps.db, async (tx) => {
			await lockSpace(tx, work.ownerId);
			const root = await findArriving(tx, work);
			if (root === undefined) return true;
			await job.savePayload(tx, await copySome(deps, tx, work, root));
			return false;
		});
		if (!isOver) job.again();
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		if (error.code !== 'QUOTA_EXCEEDED' && error.code !== 'TOO_DEEP') throw error;
		await undoCopy(deps, work, error.code === 'TOO_DEEP' ? 'depth' : 'quota');
	}
}

/** The copy is whole: it appears, under a name with a number when its own was taken meanwhile, at the root when its folder went. */
async function finishCopy(deps: Deps, work: CopyWork): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, work.ownerId);
		const root = await findArriving(tx, work);
		if (root === undefined) return;
		const target = await placeOrRoot(tx, { id: root.parent_id, path: root.path });
		if (target.path !== root.path)
			await queries.movePaths(tx, work.ownerId, pathBelow(root), pathBelow({ ...root, path: target.path }));
		await queries.placeNode(tx, root.id, target.id, target.path);
		const name = await freeNameFor(root.name, root.kind, (key) =>
			queries.findNodeByNameKey(tx, work.ownerId, target.path, key),
		);
		await queries.renameNode(tx, root.id, namesOf(name, root.kind));
		await queries.setDeleted(tx, root.id, null);
		await addToFolder(tx, work.ownerId, target.path, shareOf(root));
	});
	publishNodes(deps, work.ownerId);
}

/** What has been copied goes again, and the audit list says why. */
async function undoCopy(
	deps: Deps,
	work: Pick<CopyWork, 'rootId' | 'ownerId' | 'name'> & Partial<Pick<CopyWork, 'by'>>,
	reason: 'quota' | 'depth' | 'update',
): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, work.ownerId);
		const root = await findArriving(tx, work);
		if (root === undefined) return;
		await queries.setDeleted(tx, root.id, root.deleted_at, 'leaving');
		await beginPurge(deps, tx, work.ownerId, [root.id]);
		await recordAuditOf(deps, tx, work.by ?? { actor: null, ip: 'Unknown' }, {
			action: 'folder-copy-undone',
			subjectKind: 'node',
			subjectId: root.id,
			detail: { name: work.name, reason },
		});
	});
	deps.log.info({ copy: work.rootId, reason }, 'copy of a folder undone');
	deps.wakeWorkers();
	publishNodes(deps, work.ownerId);
}

/** The copy's outermost folder where it stands now; undefined when it, a folder above or the owner is gone or going. */
async function findArriving(tx: Db, work: Pick<CopyWork, 'rootId' | 'ownerId'>): Promise<queries.NodeRow | undefined> {
	const isReserved = reservedOwners.some((name) => name === work.ownerId);
	if (!isReserved && !(await lockUserStays(tx, work.ownerId))) return undefined;
	const root = await queries.findAnyNode(tx, work.rootId);
	if (root?.state !== 'arriving') return undefined;
	const above = root.path === '' ? [] : root.path.split('/');
	const folders = await queries.findAnyFoldersByRealPaths(tx, work.ownerId, above);
	const isStaying = folders.length === above.length && folders.every(({ state }) => state !== 'leaving');
	return isStaying ? root : undefined;
}
