import type { UploadConflict } from '#contract/files/uploads.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { findLiveNode } from './files.nodes.ts';
import * as queries from './files.queries.ts';
import { fileExists, insertFile, type NewFile, putIntoTrash, requireFreeName } from './files.service.ts';
import { passExclusionsOn } from './grants.queries.ts';
import { freeNameFor, nameKeyOf, namesOf } from './names.ts';
import { lockSpace } from './totals.queries.ts';

/** Where a file is to arrive, and what becomes of a taken name there. */
export interface Arrival {
	ownerId: string;
	path: string;
	name: string;
	conflict: UploadConflict;
}

/**
 * Before the first byte: whether the file may come at all.
 * @returns whether one that stands there would make room for it. @throws AppError FILE_EXISTS, also for a folder that should be replaced
 */
export async function requireWay(
	db: Db,
	{ ownerId, path, name, conflict }: Arrival,
): Promise<{ isReplacing: boolean }> {
	if (conflict === 'skip') await requireFreeName(db, ownerId, path, name);
	if (conflict !== 'replace') return { isReplacing: false };
	const taker = await queries.findNodeByNameKey(db, ownerId, path, nameKeyOf(name));
	if (taker?.kind === 'folder') throw fileExists(name);
	return { isReplacing: taker !== undefined };
}

/**
 * Puts an arrived file into its folder, inside the caller's transaction: under the next free name, or in the place of
 * the file that has the name, which is in the trash from the moment in which the new one is there.
 * @returns its id, the name it got, and what it replaced. @throws AppError as insertFile, and FILE_EXISTS for a folder that should be
 * replaced; a unique violation for a taken name
 */
export async function arrive(
	deps: Deps,
	tx: Db,
	caller: Caller,
	file: NewFile & { conflict: UploadConflict },
): Promise<{ id: string; name: string; replacedId: string | null }> {
	// From here to the commit nobody else changes a name in this space.
	await lockSpace(tx, file.ownerId);
	const way = { ...file, path: file.parent.path };
	const { isReplacing } = file.conflict === 'replace' ? await requireWay(tx, way) : { isReplacing: false };
	const replacedId = isReplacing ? await giveWay(deps, tx, caller, way) : null;
	const name =
		file.conflict === 'rename'
			? await freeNameFor(file.name, 'file', (key) => queries.findNodeByNameKey(tx, file.ownerId, way.path, key))
			: file.name;
	const id = await insertFile(deps, tx, { ...file, name, isReplacing });
	if (replacedId !== null) await passExclusionsOn(tx, replacedId, id, namesOf(name, 'file').sort_key);
	return { id, name, replacedId };
}

/** The file that has the name goes to the trash, as if it had been deleted. @returns its id */
async function giveWay(deps: Deps, tx: Db, caller: Caller, { ownerId, path, name }: Arrival): Promise<string> {
	const taker = await queries.findNodeByNameKey(tx, ownerId, path, nameKeyOf(name));
	const node = taker && (await findLiveNode(tx, taker.id));
	if (node === undefined) throw new AppError('FOLDER_GONE');
	await putIntoTrash(deps, tx, caller, node, 'file-replaced');
	return node.id;
}
