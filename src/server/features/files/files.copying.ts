import type { ManyResult } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Caller, sessionOwnerOf } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/jobs.ts';
import { letOthers } from '../../platform/turns.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { requireNode } from './files.access.ts';
import { type CopyWork, copyJob } from './files.copy-work.ts';
import { levelsOf, requireLevels } from './files.levels.ts';
import { requireQuotaForNew } from './files.limits.ts';
import { type FolderPlace, getNode, pathBelow, requireFolder } from './files.nodes.ts';
import * as queries from './files.queries.ts';
import {
	newNodeRow,
	newRealPath,
	publishNodes,
	refusalOf,
	requirePlaceStays,
	shareOf,
	withNameConflict,
} from './files.service.ts';
import { requireSpace } from './files.spaces.ts';
import { freeNameFor, namesOf } from './names.ts';
import { addToFolder, addToSpace, lockSpace } from './totals.queries.ts';

/**
 * Copies folders and files into a folder of any space; the bytes are shared. A copy beside its original gets a number.
 * A folder with much in it is copied by a job and appears when it is whole.
 */
export async function copyNodes(
	deps: Deps,
	caller: Caller,
	input: { ids: string[]; owner: string; path: string },
): Promise<ManyResult & { underWay: string[] }> {
	const space = await requireSpace(deps, caller, input.owner);
	const target = await requireFolder(deps.db, space.id, input.path);
	const result = { done: [] as ManyResult['done'], refused: [] as ManyResult['refused'], underWay: [] as string[] };
	for (const id of input.ids) {
		await letOthers();
		const refusal = await refusalOf(deps, caller, id, async () => {
			const node = await requireNode(deps.db, caller, id);
			if (node.kind === 'file') {
				const copyId = await copyFile(deps, caller, node, space.id, target);
				result.done.push({ id, node: await getNode(deps.db, copyId) });
			} else {
				await beginFolderCopy(deps, caller, node, space.id, target);
				result.underWay.push(id);
			}
		});
		if (refusal !== null) result.refused.push(refusal);
	}
	if (result.underWay.length > 0) deps.wakeWorkers();
	publishNodes(deps, space.id);
	return result;
}

/** @throws AppError NOT_FOUND, FILE_EXISTS, FOLDER_GONE, QUOTA_EXCEEDED */
async function copyFile(
	deps: Deps,
	caller: Caller,
	node: queries.NodeRow,
	ownerId: string,
	target: FolderPlace,
): Promise<string> {
	const id = newId();
	await withNameConflict('FILE_EXISTS', node.name, () =>
		inTransaction(deps.db, async (tx) => {
			await lockSpace(tx, ownerId);
			await requirePlaceStays(tx, ownerId, target);
			await requireQuotaForNew(tx, ownerId, node.size_bytes);
			// Somebody may have sent it out of the trash since it was found.
			if (node.blob_id === null || !(await queries.lockBlobs(tx, [node.blob_id])).has(node.blob_id))
				throw new AppError('NOT_FOUND');
			const name = await nameBeside(tx, node, ownerId, target);
			await queries.insertNode(tx, {
				...newNodeRow(deps, { id, ownerId, parent: target, name, kind: 'file' }),
				size_bytes: node.size_bytes,
				blob_id: node.blob_id,
			});
			await addToFolder(tx, ownerId, target.path, shareOf(node));
			await addToSpace(tx, ownerId, 1, node.size_bytes);
			await recordCopy(deps, tx, caller, node, id);
		}),
	);
	return id;
}

/** @throws AppError NAME_EXISTS, FOLDER_GONE, QUOTA_EXCEEDED, TOO_DEEP */
async function beginFolderCopy(
	deps: Deps,
	caller: Caller,
	node: queries.NodeRow,
	ownerId: string,
	target: FolderPlace,
): Promise<void> {
	const { sizeBytes } = await queries.sumBelow(deps.db, node.owner_id, pathBelow(node));
	const levels = await queries.countLevelsBelow(deps.db, node.owner_id, pathBelow(node));
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, ownerId);
		await requirePlaceStays(tx, ownerId, target);
		await requireQuotaForNew(tx, ownerId, sizeBytes);
		requireLevels(levelsOf(target.path) + 1 + levels);
		const name = await nameBeside(tx, node, ownerId, target);
		if ((await queries.findNodeByNameKey(tx, ownerId, target.path, namesOf(name, 'folder').name_key)) !== undefined)
			throw new AppError('NAME_EXISTS', { params: { name } });
		const rootId = newId();
		const realPath = await newRealPath(deps, tx, ownerId);
		await queries.insertNode(tx, {
			...newNodeRow(deps, { id: rootId, ownerId, parent: target, name, kind: 'folder' }),
			real_path: realPath,
			deleted_at: isoAt(deps.clock),
			state: 'arriving',
		});
		const work: CopyWork = {
			rootId,
			ownerId,
			name: node.name,
			by: { actor: caller.actor && sessionOwnerOf(caller.actor), ip: caller.ip },
			totalBytes: sizeBytes,
			copiedBytes: 0,
			stack: [{ sourceId: node.id, copyId: rootId, realPath, afterKey: '' }],
		};
		await enqueueJob(deps, tx, copyJob, work);
		await recordCopy(deps, tx, caller, node, rootId);
	});
}

/** A copy into the folder of the original takes a number; anywhere else it keeps its name. */
async function nameBeside(tx: Db, node: queries.NodeRow, ownerId: string, target: FolderPlace): Promise<string> {
	if (node.owner_id !== ownerId || node.path !== target.path) return node.name;
	return freeNameFor(node.name, node.kind, (key) => queries.findNodeByNameKey(tx, ownerId, target.path, key));
}

function recordCopy(deps: Deps, tx: Db, caller: Caller, node: queries.NodeRow, copyId: string): Promise<void> {
	return recordAudit(deps, tx, caller, {
		action: `${node.kind}-copied`,
		subjectKind: 'node',
		subjectId: copyId,
		detail: { name: node.name, from: node.id },
	});
}
