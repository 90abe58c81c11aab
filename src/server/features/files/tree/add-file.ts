import type { UploadConflict } from '#contract/uploads/uploads.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { lockSpace } from '../spaces/spaces.queries.ts';
import { fileAccess } from './file-access.ts';
import { findFreeName, nameColumnsOf, nameKeyOf } from './node-names.ts';
import { findLiveNode } from './nodes.ts';
import * as queries from './tree.queries.ts';
import { fileExistsError, insertFile, moveToTrash, type NewFile, requireFreeName } from './tree.service.ts';

/** Where a file is to arrive, and what becomes of a taken name there. */
export interface IncomingFile {
	ownerId: string;
	path: string;
	name: string;
	conflict: UploadConflict;
}

/**
 * Before the first byte: whether the file may come at all.
 * @returns whether one that stands there would make room for it. @throws AppError FILE_EXISTS, also for a folder that should be replaced
 */
export async function resolveNameConflict(
	db: Db,
	{ ownerId, path, name, conflict }: IncomingFile,
): Promise<{ isReplacing: boolean }> {
	if (conflict === 'skip') await requireFreeName(db, ownerId, path, name);
	if (conflict !== 'replace') return { isReplacing: false };
	const existing = await queries.findNodeByNameKey(db, ownerId, path, nameKeyOf(name));
	if (existing?.kind === 'folder') throw fileExistsError(name);
	return { isReplacing: existing !== undefined };
}

/**
 * Puts an arrived file into its folder, inside the caller's transaction: under the next free name, or in the place of
 * the file that has the name, which is in the trash from the moment in which the new one is there.
 * @returns its id, the name it got, and what it replaced. @throws AppError as insertFile, and FILE_EXISTS for a folder that should be
 * replaced; a unique violation for a taken name
 */
export async function addFile(
	deps: Deps,
	tx: Db,
	caller: Caller,
	file: NewFile & { conflict: UploadConflict },
): Promise<{ id: string; name: string; replacedId: string | null }> {
	// From here to the commit nobody else changes a name in this space.
	await lockSpace(tx, file.ownerId);
	const target = { ...file, path: file.parent.path };
	const { isReplacing } = file.conflict === 'replace' ? await resolveNameConflict(tx, target) : { isReplacing: false };
	const replacedId = isReplacing ? await trashReplacedFile(deps, tx, caller, target) : null;
	const name =
		file.conflict === 'rename'
			? await findFreeName(file.name, 'file', (key) => queries.findNodeByNameKey(tx, file.ownerId, target.path, key))
			: file.name;
	const id = await insertFile(deps, tx, { ...file, name, isReplacing });
	if (replacedId !== null) await fileAccess().copyExclusions(tx, replacedId, id, nameColumnsOf(name, 'file').sort_key);
	return { id, name, replacedId };
}

/** The file that has the name goes to the trash, as if it had been deleted. @returns its id */
async function trashReplacedFile(
	deps: Deps,
	tx: Db,
	caller: Caller,
	{ ownerId, path, name }: IncomingFile,
): Promise<string> {
	const existing = await queries.findNodeByNameKey(tx, ownerId, path, nameKeyOf(name));
	const node = existing && (await findLiveNode(tx, existing.id));
	if (node === undefined) throw new AppError('FOLDER_GONE');
	await moveToTrash(deps, tx, caller, node, 'file-replaced');
	return node.id;
}
