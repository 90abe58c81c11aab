import type { Node } from '#contract/files/files.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { safeSegment } from '../../platform/storage/storage.ts';
import { findUserById, lockUserStays } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { findBreadcrumb, getNode } from './files.listing.ts';
import { canReadSpace, reservedOwners } from './files.policy.ts';
import * as queries from './files.queries.ts';
import { requireActor, requireSpace } from './files.spaces.ts';
import { endingOf, nameKeyOf, requireName, sortKeyOf } from './names.ts';

/** The folder that something is put into; the root has no id. */
export interface FolderPlace {
	id: string | null;
	/** Path of what lies in it. */
	path: string;
}

/** @throws AppError FOLDER_NAME_REQUIRED, NAME_INVALID, NAME_TOO_LONG, NAME_EXISTS, FOLDER_GONE, NOT_FOUND */
export async function createFolder(
	deps: Deps,
	caller: Caller,
	input: { owner: string; path: string; name: string },
): Promise<Node> {
	const space = await requireSpace(deps, caller, input.owner);
	const name = requireFolderName(input.name);
	const parent = await requireFolder(deps.db, space.id, input.path);
	const id = newId();
	await withNameConflict('NAME_EXISTS', name, () =>
		inTransaction(deps.db, async (tx) => {
			await requirePlaceStays(tx, space.id, parent);
			const realPath = await newRealPath(deps, tx, space.id);
			await queries.insertNode(
				tx,
				nodeRow(deps, { id, ownerId: space.id, parent, name, kind: 'folder', realPath, sizeBytes: 0, blobId: null }),
			);
			await recordAudit(deps, tx, caller, {
				action: 'folder-created',
				subjectKind: 'node',
				subjectId: id,
				detail: { owner: space.email, name },
			});
		}),
	);
	publishNodes(deps, space.id);
	return getNode(deps, id);
}

/** The folder's realPath, and so all that lies below it, stays. @throws AppError as createFolder */
export async function renameFolder(deps: Deps, caller: Caller, input: { id: string; name: string }): Promise<Node> {
	const name = requireFolderName(input.name);
	const folder = await requireNode(deps, caller, input.id);
	if (folder.kind !== 'folder') throw new AppError('NOT_FOUND');
	await withNameConflict('NAME_EXISTS', name, () =>
		inTransaction(deps.db, async (tx) => {
			await queries.renameNode(tx, folder.id, { name, name_key: nameKeyOf(name), sort_key: sortKeyOf(name) });
			await recordAudit(deps, tx, caller, {
				action: 'folder-renamed',
				subjectKind: 'node',
				subjectId: folder.id,
				detail: { from: folder.name, to: name },
			});
		}),
	);
	publishNodes(deps, folder.owner_id);
	return getNode(deps, folder.id);
}

/** Takes a file, or a folder with everything below it, away at once. @throws AppError NOT_FOUND */
export async function removeNode(deps: Deps, caller: Caller, id: string): Promise<void> {
	const node = await requireNode(deps, caller, id);
	await inTransaction(deps.db, async (tx) => {
		const now = isoAt(deps.clock);
		await queries.markDeleted(tx, [node.id], now);
		for (let level = node.kind === 'folder' ? [node.id] : []; level.length > 0; ) {
			const below: string[] = [];
			for (const ids of inBatches(level)) below.push(...(await queries.findChildIds(tx, ids)));
			for (const ids of inBatches(below)) await queries.markDeleted(tx, ids, now);
			level = below;
		}
		await recordAudit(deps, tx, caller, {
			action: `${node.kind}-deleted`,
			subjectKind: 'node',
			subjectId: node.id,
			detail: { name: node.name },
		});
	});
	publishNodes(deps, node.owner_id);
	if (node.owner_id === 'book')
		deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint: { topic: 'book-access' } });
}

/** A node that the actor may read. @throws AppError NOT_FOUND, alike for absent and forbidden */
export async function requireNode(deps: Deps, caller: Caller, id: string): Promise<queries.NodeRow> {
	const node = await queries.findLiveNode(deps.db, id);
	if (node === undefined || !canReadSpace(requireActor(caller), node.owner_id)) throw new AppError('NOT_FOUND');
	return node;
}

/** The folder that a path names in a space. @throws AppError FOLDER_GONE */
export async function requireFolder(db: Db, ownerId: string, path: string): Promise<FolderPlace> {
	const breadcrumb = await findBreadcrumb(db, ownerId, path);
	return { id: breadcrumb.at(-1)?.id ?? null, path };
}

/**
 * Inside a transaction: the space's owner and the folder are still there and stay until the commit.
 * @throws AppError NOT_FOUND (the owner was deleted), FOLDER_GONE
 */
export async function requirePlaceStays(tx: Db, ownerId: string, folder: FolderPlace): Promise<void> {
	const isReserved = reservedOwners.some((name) => name === ownerId);
	if (!isReserved && !(await lockUserStays(tx, ownerId))) throw new AppError('NOT_FOUND');
	if (folder.id !== null && (await queries.lockFolder(tx, folder.id)) === undefined) throw new AppError('FOLDER_GONE');
}

export interface NewFile {
	ownerId: string;
	parent: FolderPlace;
	name: string;
	blob: { id: string; storageKey: string; sizeBytes: number; sha256: string; contentType: string };
}

/** Puts a file whose bytes are safe into a folder, inside the caller's transaction. @throws AppError NOT_FOUND, FOLDER_GONE; a unique violation for a taken name */
export async function insertFile(deps: Deps, tx: Db, file: NewFile): Promise<string> {
	await requirePlaceStays(tx, file.ownerId, file.parent);
	const id = newId();
	await queries.insertBlob(tx, {
		id: file.blob.id,
		storage_key: file.blob.storageKey,
		size_bytes: file.blob.sizeBytes,
		sha256: file.blob.sha256,
		content_type: file.blob.contentType,
		created_at: isoAt(deps.clock),
	});
	await queries.insertNode(
		tx,
		nodeRow(deps, {
			id,
			ownerId: file.ownerId,
			parent: file.parent,
			name: file.name,
			kind: 'file',
			realPath: null,
			sizeBytes: file.blob.sizeBytes,
			blobId: file.blob.id,
		}),
	);
	return id;
}

/** @throws AppError FILE_EXISTS when the name is taken in that folder */
export async function requireFreeName(db: Db, ownerId: string, path: string, name: string): Promise<void> {
	if ((await queries.findNodeByNameKey(db, ownerId, path, nameKeyOf(name))) !== undefined)
		throw new AppError('FILE_EXISTS', { params: { name } });
}

/** Turns the database's own refusal of a taken name into the specified words. */
export async function withNameConflict<T>(
	code: 'NAME_EXISTS' | 'FILE_EXISTS',
	name: string,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!isUniqueViolation(error)) throw error;
		throw new AppError(code, {
			params: { name },
			fields: { name: code === 'NAME_EXISTS' ? 'error_name_exists' : 'error_file_exists' },
		});
	}
}

/** Tells whoever may see the space to look again. */
export function publishNodes(deps: Deps, ownerId: string): void {
	const hint = { topic: 'nodes', owner: ownerId } as const;
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint });
	if (ownerId === 'guest') deps.bus.publish({ kind: 'hint', audience: { to: 'everyone' }, hint });
	else if (ownerId !== 'book') deps.bus.publish({ kind: 'hint', audience: { to: 'user', userId: ownerId }, hint });
}

/** A new storage key `files/{email}/{path}/{name}` with an id added, fixed from now on. */
export async function newFileKey(deps: Deps, ownerId: string, path: string, name: string): Promise<string> {
	const owner = (await findUserById(deps.db, ownerId))?.email ?? ownerId;
	const folders = path === '' ? [] : path.split('/').map(safeSegment);
	return ['files', safeSegment(owner), ...folders, `${newId()}-${safeSegment(name)}`].join('/');
}

export { listFolder, previewOf } from './files.listing.ts';
export { reservedOwners } from './files.policy.ts';
export { findBlob, findLiveNode, insertBlob, listFilesByEnding } from './files.queries.ts';
export { requireSpace } from './files.spaces.ts';
export { requireName } from './names.ts';

/** A database takes only so many parameters in one statement (SQLite 32,766, PostgreSQL 65,535). */
function* inBatches(ids: string[]): Generator<string[]> {
	for (let start = 0; start < ids.length; start += 1000) yield ids.slice(start, start + 1000);
}

function requireFolderName(name: string): string {
	if (name.trim() === '')
		throw new AppError('FOLDER_NAME_REQUIRED', { fields: { name: 'error_folder_name_required' } });
	return requireName(name);
}

/** A timestamp that no folder of this owner has yet. */
async function newRealPath(deps: Deps, tx: Db, ownerId: string): Promise<string> {
	let stamp = deps.clock.now().getTime();
	while (await queries.hasRealPath(tx, ownerId, String(stamp))) stamp += 1;
	return String(stamp);
}

interface NodeParts {
	id: string;
	ownerId: string;
	parent: FolderPlace;
	name: string;
	kind: 'folder' | 'file';
	realPath: string | null;
	sizeBytes: number;
	blobId: string | null;
}

function nodeRow(deps: Deps, parts: NodeParts) {
	return {
		id: parts.id,
		owner_id: parts.ownerId,
		parent_id: parts.parent.id,
		path: parts.parent.path,
		real_path: parts.realPath,
		kind: parts.kind,
		kind_order: parts.kind === 'folder' ? 0 : 1,
		name: parts.name,
		name_key: nameKeyOf(parts.name),
		sort_key: sortKeyOf(parts.name),
		ending: parts.kind === 'file' ? endingOf(parts.name) : '',
		size_bytes: parts.sizeBytes,
		blob_id: parts.blobId,
		created_at: isoAt(deps.clock),
		deleted_at: null,
	};
}
