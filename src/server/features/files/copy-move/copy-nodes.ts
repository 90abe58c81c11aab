import type { InputOf } from '#contract/core/endpoint.ts';
import type { BulkResult, files } from '#contract/files/files.ts';
import { type Caller, getSessionOwner } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import { lockBlobs } from '../../../platform/storage/blobs.queries.ts';
import { recordAudit } from '../../audit/index.ts';
import { requireQuota } from '../spaces/quota.ts';
import { requireSpace } from '../spaces/spaces.policy.ts';
import { addToFolderTotals, addToSpaceTotals, lockSpace } from '../spaces/spaces.queries.ts';
import { fileAccess } from '../tree/file-access.ts';
import { findFreeName, nameColumnsOf } from '../tree/node-names.ts';
import { folderLevelsOf, getFolder, getNode, requireFolderLevels, type TargetFolder } from '../tree/nodes.ts';
import * as queries from '../tree/tree.queries.ts';
import {
	lockOwnerAndFolder,
	newNodeRow,
	newRealPath,
	publishNodesChanged,
	runBulk,
	totalsOfNode,
	withNameConflict,
} from '../tree/tree.service.ts';
import { type CopyJobPayload, copyJob } from './copy-job-payload.ts';

/** Copies nodes into a folder of any space, sharing the bytes; folders by a job, and hidden until complete. */
export async function copyNodes(deps: Deps, caller: Caller, input: InputOf<typeof files.copy>) {
	const space = await requireSpace(deps, caller, input.owner);
	const target = await getFolder(deps.db, space.id, input.path);
	const done: BulkResult['done'] = [];
	const underWay: string[] = [];
	const { refused } = await runBulk(deps, caller, input.ids, async (id) => {
		const node = await fileAccess().requireNode(deps.db, caller, id);
		if (node.kind === 'file') {
			const copyId = await copyFile(deps, caller, node, space.id, target);
			done.push({ id, node: await getNode(deps.db, copyId) });
		} else {
			await startFolderCopy(deps, caller, node, space.id, target);
			underWay.push(id);
		}
	});
	if (underWay.length > 0) deps.wakeWorkers();
	publishNodesChanged(deps, space.id);
	return { done, refused, underWay };
}

/** @throws AppError NOT_FOUND, FILE_EXISTS, FOLDER_GONE, QUOTA_EXCEEDED */
async function copyFile(deps: Deps, caller: Caller, node: queries.NodeRow, ownerId: string, target: TargetFolder) {
	const id = newId();
	await withNameConflict('FILE_EXISTS', node.name, () =>
		inTransaction(deps.db, async (tx) => {
			await lockSpace(tx, ownerId);
			await lockOwnerAndFolder(tx, ownerId, target);
			await requireQuota(tx, ownerId, node.size_bytes, { pending: 'all' });
			// The file may have been purged from the trash since it was found.
			if (node.blob_id === null || !(await lockBlobs(tx, [node.blob_id])).has(node.blob_id))
				throw new AppError('NOT_FOUND');
			const name = await chooseCopyName(tx, node, ownerId, target);
			await queries.insertNode(tx, {
				...newNodeRow(deps, { id, ownerId, parent: target, name, kind: 'file' }),
				size_bytes: node.size_bytes,
				blob_id: node.blob_id,
			});
			await addToFolderTotals(tx, ownerId, target.path, totalsOfNode(node));
			await addToSpaceTotals(tx, ownerId, 1, node.size_bytes);
			await auditCopy(deps, tx, caller, node, id);
		}),
	);
	return id;
}

/** @throws AppError NAME_EXISTS, FOLDER_GONE, QUOTA_EXCEEDED, TOO_DEEP */
async function startFolderCopy(
	deps: Deps,
	caller: Caller,
	node: queries.NodeRow,
	ownerId: string,
	target: TargetFolder,
): Promise<void> {
	const { sizeBytes } = await queries.sumBelow(deps.db, node.owner_id, pathBelow(node));
	const levels = await queries.countFolderLevelsBelow(deps.db, node.owner_id, pathBelow(node));
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, ownerId);
		await lockOwnerAndFolder(tx, ownerId, target);
		await requireQuota(tx, ownerId, sizeBytes, { pending: 'all' });
		requireFolderLevels(folderLevelsOf(target.path) + 1 + levels);
		const name = await chooseCopyName(tx, node, ownerId, target);
		if (
			(await queries.findNodeByNameKey(tx, ownerId, target.path, nameColumnsOf(name, 'folder').name_key)) !== undefined
		)
			throw new AppError('NAME_EXISTS', { params: { name } });
		const rootId = newId();
		const realPath = await newRealPath(deps, tx, ownerId);
		await queries.insertNode(tx, {
			...newNodeRow(deps, { id: rootId, ownerId, parent: target, name, kind: 'folder' }),
			real_path: realPath,
			deleted_at: isoAt(deps.clock),
			state: 'arriving',
		});
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

/** Returns a numbered name for a copy into the folder of the original, otherwise the original name. */
async function chooseCopyName(tx: Db, node: queries.NodeRow, ownerId: string, target: TargetFolder): Promise<string> {
	if (node.owner_id !== ownerId || node.path !== target.path) return node.name;
	return findFreeName(tx, { ownerId, path: target.path }, node.name, node.kind);
}

function auditCopy(deps: Deps, tx: Db, caller: Caller, node: queries.NodeRow, copyId: string): Promise<void> {
	return recordAudit(deps, tx, caller, `${node.kind}-copied`, ['node', copyId], { name: node.name, from: node.id });
}
