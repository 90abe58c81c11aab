import type { UploadConflict } from '#contract/files/uploads.ts';
import type { Caller } from '../../../platform/actor.ts';
import { required } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { lockSpace } from '../spaces/spaces.queries.ts';
import { fileAccess } from './file-access.ts';
import { findFreeName, nameColumnsOf, nameKeyOf } from './node-names.ts';
import { findLiveNode } from './nodes.ts';
import * as queries from './tree.queries.ts';
import { insertFile, moveToTrash, type NewFile, nameConflictError } from './tree.service.ts';

interface IncomingFile {
	ownerId: string;
	path: string;
	name: string;
	conflict: UploadConflict;
}

/**
 * Checks whether a file may be added under its name.
 * @returns whether the file replaces an existing file
 * @throws AppError FILE_EXISTS, also when a folder has the name
 */
export async function resolveNameConflict(db: Db, { ownerId, path, name, conflict }: IncomingFile) {
	if (conflict === 'rename') return { isReplacing: false };
	const existing = await queries.findNodeByNameKey(db, ownerId, path, nameKeyOf(name));
	if (existing === undefined) return { isReplacing: false };
	if (conflict === 'skip' || existing.kind === 'folder') throw nameConflictError('FILE_EXISTS', name);
	return { isReplacing: true };
}

/**
 * Adds a stored file to its folder in the caller's transaction. If its name is taken, `conflict` decides whether the
 * file gets a free name, the existing file is moved to the trash, or the call fails.
 * @returns the file's id and final name, and the id of the replaced file
 * @throws AppError as insertFile and resolveNameConflict
 */
export async function addFile(deps: Deps, tx: Db, caller: Caller, file: NewFile & { conflict: UploadConflict }) {
	// Until the commit, no other transaction can change a name in this space.
	await lockSpace(tx, file.ownerId);
	const target = { ...file, path: file.parent.path };
	const { isReplacing } = await resolveNameConflict(tx, target);
	const replacedId = isReplacing ? await trashReplacedFile(deps, tx, caller, target) : null;
	const name = file.conflict === 'rename' ? await findFreeName(tx, target, file.name, 'file') : file.name;
	const id = await insertFile(deps, tx, { ...file, name, isReplacing });
	if (replacedId !== null) await fileAccess().copyExclusions(tx, replacedId, id, nameColumnsOf(name, 'file').sort_key);
	return { id, name, replacedId };
}

/** Moves the existing file with this name to the trash. @returns its id */
async function trashReplacedFile(deps: Deps, tx: Db, caller: Caller, { ownerId, path, name }: IncomingFile) {
	const existing = await queries.findNodeByNameKey(tx, ownerId, path, nameKeyOf(name));
	const node = required(existing && (await findLiveNode(tx, existing.id)), 'FOLDER_GONE');
	await moveToTrash(deps, tx, caller, node, 'file-replaced');
	return node.id;
}
