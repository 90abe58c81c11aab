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

export interface IncomingFile {
	ownerId: string;
	path: string;
	name: string;
	conflict: UploadConflict;
}

/** Whether the conflict policy refuses a file whose name a file or a folder has. */
export function isNameRefused(existing: 'file' | 'folder', conflict: UploadConflict): boolean {
	return conflict === 'skip' || (conflict === 'replace' && existing === 'folder');
}

/**
 * Checks whether a file may be added under its name.
 * @returns the id of the existing file that the file replaces, or null
 * @throws AppError FILE_EXISTS, also when a folder has the name
 */
export async function findReplacedFile(db: Db, file: IncomingFile): Promise<string | null> {
	const { ownerId, path, name, conflict } = file;
	if (conflict === 'rename') return null;
	const existing = await queries.findNodeByNameKey(db, ownerId, path, nameKeyOf(name));
	if (existing === undefined) return null;
	if (isNameRefused(existing.kind, conflict)) throw nameConflictError('FILE_EXISTS', name);
	return existing.id;
}

/**
 * Adds a stored file to its folder in the caller's transaction. If its name is taken, `conflict` decides whether the
 * file gets a free name, the existing file is moved to the trash, or the call fails.
 * @returns the file's id and final name, and the id of the replaced file
 * @throws AppError as insertFile and findReplacedFile
 */
export async function addFile(deps: Deps, tx: Db, caller: Caller, file: NewFile & { conflict: UploadConflict }) {
	// Until the commit, no other transaction can change a name in this space.
	await lockSpace(tx, file.ownerId);
	const target = { ...file, path: file.parent.path };
	const replacedId = await findReplacedFile(tx, target);
	const replaced = replacedId === null ? null : required(await findLiveNode(tx, replacedId), 'FOLDER_GONE');
	if (replaced !== null) await moveToTrash(deps, tx, caller, replaced, 'file-replaced');
	const name = file.conflict === 'rename' ? await findFreeName(tx, target, file.name, 'file') : file.name;
	const id = await insertFile(deps, tx, { ...file, name, isReplacing: replacedId !== null });
	if (replacedId !== null) await fileAccess().copyExclusions(tx, replacedId, id, nameColumnsOf(name, 'file').sort_key);
	return { id, name, replacedId };
}
