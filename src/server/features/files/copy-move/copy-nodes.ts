import type { InputOf } from '#contract/core/endpoint.ts';
import type { files } from '#contract/files/files.ts';
import { type Caller, getSessionOwner } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import { lockBlobs } from '../../../platform/storage/blobs.queries.ts';
import { recordAudit } from '../../audit/index.ts';
import { requireQuota } from '../spaces/quota.ts';
import { requireSpace } from '../spaces/spaces.policy.ts';
import { fileAccess } from '../tree/file-access.ts';
import { findFreeName, nameKeyOf } from '../tree/node-names.ts';
import { getFolder, requireFolderLevels, type TargetFolder } from '../tree/nodes.ts';
import * as queries from '../tree/tree.queries.ts';
import {
	insertFileNode,
	lockTargetFolder,
	newNodeRow,
	newRealPath,
	publishNodesChanged,
	runBulk,
	withNameConflict,
} from '../tree/tree.service.ts';
import { type CopyJobPayload, copyJob } from './copy-job-payload.ts';

/** Copies nodes without copying bytes. A folder is copied by a job; the copy is hidden until it is complete. */
export async function copyNodes(deps: Deps, caller: Caller, input: InputOf<typeof files.copy>) {
	const space = await requireSpace(deps, caller, input.owner);
	const target = await getFolder(deps.db, space.id, input.path);
	const underWay: string[] = [];
	const { done, refused } = await runBulk(deps, caller, input.ids, async (id) => {
		const node = await fileAccess().requireNode(deps.db, caller, id);
		if (node.kind === 'file') return copyFile(deps, caller, node, space.id, target);
		await startFolderCopy(deps, caller, node, space.id, target);
		underWay.push(id);
	});
	if (underWay.length > 0) deps.wakeWorkers();
	publishNodesChanged(deps, space.id);
	return { done: done.filter((id) => !underWay.includes(id)), refused, underWay };
}

async function copyFile(
	deps: Deps,
	caller: Caller,
	node: queries.NodeRow,
	ownerId: string,
	target: TargetFolder,
): Promise<void> {
	await withNameConflict('FILE_EXISTS', node.name, () =>
		inTransaction(deps.db, async (tx) => {
			await lockTargetFolder(tx, ownerId, target);
			await requireQuota(tx, ownerId, node.size_bytes, { pending: 'all' });
			// The file may have been purged meanwhile.
			if (node.blob_id === null || !(await lockBlobs(tx, [node.blob_id])).has(node.blob_id))
				throw new AppError('NOT_FOUND');
			const name = await chooseCopyName(tx, node, ownerId, target);
			const blob = { id: node.blob_id, sizeBytes: node.size_bytes };
			const id = await insertFileNode(deps, tx, { ownerId, parent: target, name, blob });
			await auditCopy(deps, tx, caller, node, id);
		}),
	);
}

async function startFolderCopy(
	deps: Deps,
	caller: Caller,
	node: queries.NodeRow,
	ownerId: string,
	target: TargetFolder,
): Promise<void> {
	const sizeBytes = await queries.sumBytesBelow(deps.db, node.owner_id, pathBelow(node));
	const levels = await queries.countFolderLevelsBelow(deps.db, node.owner_id, pathBelow(node));
	await inTransaction(deps.db, async (tx) => {
		await lockTargetFolder(tx, ownerId, target);
		await requireQuota(tx, ownerId, sizeBytes, { pending: 'all' });
		requireFolderLevels(target.path, 1 + levels);
		const name = await chooseCopyName(tx, node, ownerId, target);
		const existing = await queries.findNodeByNameKey(tx, ownerId, target.path, nameKeyOf(name));
		if (existing !== undefined) throw new AppError('NAME_EXISTS', { params: { name } });
		const realPath = await newRealPath(deps, tx, ownerId);
		const root = newNodeRow(deps, { ownerId, parent: target, name, kind: 'folder' });
		const rootId = root.id;
		await queries.insertNode(tx, { ...root, real_path: realPath, deleted_at: root.created_at, state: 'arriving' });
		const payload: CopyJobPayload = {
			rootId,
			ownerId,
			name: node.name,
			by: { actor: caller.actor && getSessionOwner(caller.actor), ip: caller.ip },
			totalBytes: sizeBytes,
			copiedBytes: 0,
			stack: [{ sourceId: node.id, copyId: rootId, realPath, afterKey: '' }],
		};
		await enqueueJob(deps, tx, copyJob, payload);
		await auditCopy(deps, tx, caller, node, rootId);
	});
}

/** Returns the name of the copy: with a number if the target is the original's folder, otherwise unchanged. */
async function chooseCopyName(tx: Db, node: queries.NodeRow, ownerId: string, target: TargetFolder): Promise<string> {
	if (node.owner_id !== ownerId || node.path !== target.path) return node.name;
	return findFreeName(tx, { ownerId, path: target.path }, node.name, node.kind);
}

function auditCopy(deps: Deps, tx: Db, caller: Caller, node: queries.NodeRow, copyId: string): Promise<void> {
	return recordAudit(deps, tx, caller, `${node.kind}-copied`, ['node', copyId], { name: node.name, from: node.id });
}
