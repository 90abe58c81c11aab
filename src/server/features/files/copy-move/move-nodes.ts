import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { addToFolderTotals } from '../spaces/spaces.queries.ts';
import { fileAccess } from '../tree/file-access.ts';
import { findFreeName, nameColumnsOf } from '../tree/node-names.ts';
import { findLiveNode, getFolder, requireFolderLevels, type TargetFolder } from '../tree/nodes.ts';
import * as queries from '../tree/tree.queries.ts';
import {
	lockTargetFolder,
	negateTotals,
	publishNodesChanged,
	totalsOfNode,
	withNameConflict,
} from '../tree/tree.service.ts';

/**
 * Moves a node into another folder of the same space.
 * @throws AppError NOT_FOUND, FOLDER_GONE, NAME_EXISTS, FILE_EXISTS, INTO_ITSELF, TOO_DEEP
 */
export async function moveNode(deps: Deps, caller: Caller, id: string, path: string): Promise<void> {
	const { owner_id: ownerId, name, kind } = await fileAccess().requireNode(deps.db, caller, id);
	const target = await getFolder(deps.db, ownerId, path);
	await withNameConflict(kind === 'folder' ? 'NAME_EXISTS' : 'FILE_EXISTS', name, () =>
		inTransaction(deps.db, async (tx) => {
			await lockTargetFolder(tx, ownerId, target);
			// Read while the space is locked, so that no concurrent request can move its nodes.
			const node = required(await findLiveNode(tx, id), 'NOT_FOUND');
			if (node.path === target.path) return;
			if (node.kind === 'folder') {
				const below = pathBelow(node);
				if (target.path === below || target.path.startsWith(`${below}/`)) throw new AppError('INTO_ITSELF');
				const levels = await queries.countFolderLevelsBelow(tx, ownerId, below);
				requireFolderLevels(target.path, 1 + levels);
			}
			await moveToFolder(tx, node, target);
			await addToFolderTotals(tx, ownerId, node.path, negateTotals(totalsOfNode(node)));
			await addToFolderTotals(tx, ownerId, target.path, totalsOfNode(node));
			await recordAudit(deps, tx, caller, `${kind}-moved`, ['node', id], { name: node.name });
		}),
	);
	publishNodesChanged(deps, ownerId);
}

/**
 * Makes a deleted node or a finished copy visible: in its folder, or in the root if the folder is deleted.
 * @returns its name, with a number if the name was taken
 */
export async function showNode(tx: Db, node: queries.NodeRow): Promise<string> {
	const parent = node.parent_id === null ? undefined : await findLiveNode(tx, node.parent_id);
	const target = parent === undefined ? { id: null, path: '' } : { id: parent.id, path: pathBelow(parent) };
	if (target.path !== node.path) await moveToFolder(tx, node, target);
	const name = await findFreeName(tx, { ownerId: node.owner_id, path: target.path }, node.name, node.kind);
	const names = nameColumnsOf(name, node.kind);
	await queries.updateNode(tx, node.id, { ...names, deleted_at: null, state: null });
	// A node in the trash keeps its exclusions.
	await fileAccess().updateShareSortKeys(tx, node.id, names.sort_key);
	await addToFolderTotals(tx, node.owner_id, target.path, totalsOfNode(node));
	return name;
}

/** Moves a node and everything below it into another folder of its space; the caller updates the folder totals. */
async function moveToFolder(tx: Db, node: queries.NodeRow, target: TargetFolder): Promise<void> {
	await queries.updateNode(tx, node.id, { parent_id: target.id, path: target.path });
	if (node.kind === 'folder')
		await queries.movePaths(tx, node.owner_id, pathBelow(node), pathBelow({ ...node, path: target.path }));
}
