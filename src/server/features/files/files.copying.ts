import type { ManyResult } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { enqueueJob, type RunningJob } from '../../platform/jobs/jobs.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { requireNode } from './files.access.ts';
import { requireQuota } from './files.limits.ts';
import { type FolderPlace, findLiveNode, getNode, pathBelow, requireFolder } from './files.nodes.ts';
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

export const copyJob = 'folder-copy';

/** Rows in one transaction: others wait no longer than this many take. */
const batchSize = 200;

/** A folder that is being copied: its copy is not to be seen until the last row is there. */
interface CopyWork {
	/** The copy's outermost folder. */
	rootId: string;
	ownerId: string;
	parent: FolderPlace;
	name: string;
	/** Folders whose children are still to be copied, each with its copy and the last child copied. */
	queue: Array<{ sourceId: string; copyId: string; copyPath: string; afterId: string }>;
}

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

/** @throws AppError FILE_EXISTS, FOLDER_GONE, QUOTA_EXCEEDED */
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
			await requireQuota(tx, ownerId, node.size_bytes);
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

/** @throws AppError NAME_EXISTS, FOLDER_GONE, QUOTA_EXCEEDED */
async function beginFolderCopy(
	deps: Deps,
	caller: Caller,
	node: queries.NodeRow,
	ownerId: string,
	target: FolderPlace,
): Promise<void> {
	const { sizeBytes } = await queries.sumBelow(deps.db, node.owner_id, pathBelow(node));
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, ownerId);
		await requirePlaceStays(tx, ownerId, target);
		await requireQuota(tx, ownerId, sizeBytes);
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
		const copyPath = pathBelow({ path: target.path, real_path: realPath });
		const queue = [{ sourceId: node.id, copyId: rootId, copyPath, afterId: '' }];
		await enqueueJob(deps, tx, copyJob, { rootId, ownerId, parent: target, name, queue } satisfies CopyWork);
		await recordCopy(deps, tx, caller, node, rootId);
	});
}

/** One step of copying a folder, with how far it came saved in the same transaction. */
export async function continueCopy(deps: Deps, payload: unknown, job: RunningJob): Promise<void> {
	const work = payload as CopyWork;
	const [folder, ...others] = work.queue;
	if (folder === undefined) return finishCopy(deps, work);
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, work.ownerId);
		const children = await queries.listChildren(tx, folder.sourceId, folder.afterId, batchSize);
		const found: CopyWork['queue'] = [];
		for (const child of children) {
			const id = newId();
			const isFolder = child.kind === 'folder';
			const realPath = isFolder ? await newRealPath(deps, tx, work.ownerId) : null;
			await queries.insertNode(tx, {
				...newNodeRow(deps, {
					id,
					ownerId: work.ownerId,
					parent: { id: folder.copyId, path: folder.copyPath },
					name: child.name,
					kind: child.kind,
				}),
				real_path: realPath,
				size_bytes: child.size_bytes,
				blob_id: child.blob_id,
			});
			if (isFolder) {
				const copyPath = `${folder.copyPath}/${realPath}`;
				found.push({ sourceId: child.id, copyId: id, copyPath, afterId: '' });
			}
			await addToFolder(tx, work.ownerId, folder.copyPath, shareOf(child));
			if (!isFolder) await addToSpace(tx, work.ownerId, 1, child.size_bytes);
		}
		const last = children.at(-1);
		const rest = last !== undefined && children.length === batchSize ? [{ ...folder, afterId: last.id }] : [];
		await job.savePayload(tx, { ...work, queue: [...rest, ...others, ...found] } satisfies CopyWork);
	});
	job.again();
}

/** The copy is whole: it appears, under a name with a number when its own was taken meanwhile, at the root when its folder went. */
async function finishCopy(deps: Deps, work: CopyWork): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, work.ownerId);
		const root = await queries.findAnyNode(tx, work.rootId);
		if (root?.state !== 'arriving') return;
		const target = await placeOrRoot(tx, work.parent);
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

/** A folder if it is still there, else the root of its space. */
export async function placeOrRoot(tx: Db, folder: FolderPlace): Promise<FolderPlace> {
	const row = folder.id === null ? undefined : await findLiveNode(tx, folder.id);
	return row === undefined ? { id: null, path: '' } : { id: row.id, path: pathBelow(row) };
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
