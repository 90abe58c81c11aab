import type { ManyResult } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { letOthers } from '../../platform/turns.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { requireNode } from './files.access.ts';
import { levelsOf, requireLevels } from './files.levels.ts';
import { type FolderPlace, findLiveNode, getNode, pathBelow, requireFolder } from './files.nodes.ts';
import * as queries from './files.queries.ts';
import { negative, publishNodes, refusalOf, requirePlaceStays, shareOf, withNameConflict } from './files.service.ts';
import { addToFolder, lockSpace } from './totals.queries.ts';

/** Moves folders and files into another folder of their own space; what is refused stays where it is. */
export async function moveNodes(
	deps: Deps,
	caller: Caller,
	input: { ids: string[]; path: string },
): Promise<ManyResult> {
	const result: ManyResult = { done: [], refused: [] };
	for (const id of input.ids) {
		await letOthers();
		const refusal = await refusalOf(deps, caller, id, async () => {
			await moveNode(deps, caller, id, input.path);
			result.done.push({ id, node: await getNode(deps.db, id) });
		});
		if (refusal !== null) result.refused.push(refusal);
	}
	return result;
}

/** @throws AppError NOT_FOUND, FOLDER_GONE, INTO_ITSELF, TOO_DEEP, NAME_EXISTS, FILE_EXISTS */
async function moveNode(deps: Deps, caller: Caller, id: string, path: string): Promise<void> {
	const { owner_id: ownerId, name, kind } = await requireNode(deps.db, caller, id);
	const target = await requireFolder(deps.db, ownerId, path);
	await withNameConflict(kind === 'folder' ? 'NAME_EXISTS' : 'FILE_EXISTS', name, () =>
		inTransaction(deps.db, async (tx) => {
			await lockSpace(tx, ownerId);
			// Only now nobody else moves anything here.
			const node = await findLiveNode(tx, id);
			if (node === undefined) throw new AppError('NOT_FOUND');
			await requirePlaceStays(tx, ownerId, target);
			if (node.path === target.path) return;
			requireOutside(node, target);
			if (node.kind === 'folder') {
				const levels = await queries.countLevelsBelow(tx, ownerId, pathBelow(node));
				requireLevels(levelsOf(target.path) + 1 + levels);
			}
			await place(tx, node, target);
			await addToFolder(tx, ownerId, node.path, negative(shareOf(node)));
			await addToFolder(tx, ownerId, target.path, shareOf(node));
			await recordAudit(deps, tx, caller, {
				action: `${kind}-moved`,
				subjectKind: 'node',
				subjectId: id,
				detail: { name: node.name },
			});
		}),
	);
	publishNodes(deps, ownerId);
}

/** Puts a node into another folder of its space, with everything below it; totals are the caller's. */
export async function place(tx: Db, node: queries.NodeRow, target: FolderPlace): Promise<void> {
	await queries.placeNode(tx, node.id, target.id, target.path);
	if (node.kind === 'folder')
		await queries.movePaths(tx, node.owner_id, pathBelow(node), pathBelow({ ...node, path: target.path }));
}

/** @throws AppError INTO_ITSELF when the target is the folder itself or lies in it */
function requireOutside(node: queries.NodeRow, target: FolderPlace): void {
	if (node.kind === 'file') return;
	const below = pathBelow(node);
	if (target.path === below || target.path.startsWith(`${below}/`)) throw new AppError('INTO_ITSELF');
}
