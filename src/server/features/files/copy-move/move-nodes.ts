import type { InputOf } from '#contract/core/endpoint.ts';
import type { BulkResult, files } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { addToFolderTotals } from '../spaces/spaces.queries.ts';
import { fileAccess } from '../tree/file-access.ts';
import {
	findLiveNode,
	folderLevelsOf,
	getFolder,
	getNode,
	requireFolderLevels,
	type TargetFolder,
} from '../tree/nodes.ts';
import * as queries from '../tree/tree.queries.ts';
import {
	lockTargetFolder,
	negateTotals,
	publishNodesChanged,
	runBulk,
	totalsOfNode,
	withNameConflict,
} from '../tree/tree.service.ts';

/** Moves nodes into another folder of the same space. A refused node does not stop the others. */
export async function moveNodes(deps: Deps, caller: Caller, input: InputOf<typeof files.move>) {
	const done: BulkResult['done'] = [];
	const { refused } = await runBulk(deps, caller, input.ids, async (id) => {
		await moveNode(deps, caller, id, input.path);
		done.push({ id, node: await getNode(deps.db, id) });
	});
	return { done, refused };
}

async function moveNode(deps: Deps, caller: Caller, id: string, path: string): Promise<void> {
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
				requireFolderLevels(folderLevelsOf(target.path) + 1 + levels);
			}
			await moveToFolder(tx, node, target);
			await addToFolderTotals(tx, ownerId, node.path, negateTotals(totalsOfNode(node)));
			await addToFolderTotals(tx, ownerId, target.path, totalsOfNode(node));
			await recordAudit(deps, tx, caller, `${kind}-moved`, ['node', id], { name: node.name });
		}),
	);
	publishNodesChanged(deps, ownerId);
}

/** Moves a node and everything below it into another folder of its space; the caller updates the folder totals. */
export async function moveToFolder(tx: Db, node: queries.NodeRow, target: TargetFolder): Promise<void> {
	await queries.updateNode(tx, node.id, { parent_id: target.id, path: target.path });
	if (node.kind === 'folder')
		await queries.movePaths(tx, node.owner_id, pathBelow(node), pathBelow({ ...node, path: target.path }));
}
