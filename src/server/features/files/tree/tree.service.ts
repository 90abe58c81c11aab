import type { InputOf } from '#contract/core/endpoint.ts';
import type { BulkResult, files, Node } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { isUniqueViolation } from '../../../platform/database/errors.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { errorBodyOf, toAppError } from '../../../platform/http/errors.ts';
import { newTimedId } from '../../../platform/ids.ts';
import { insertBlob, type NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { toKeySegment } from '../../../platform/storage/storage.ts';
import { audienceOfRecipient, findUserById } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { requireQuota } from '../spaces/quota.ts';
import { requireSpace, type Space } from '../spaces/spaces.policy.ts';
import { addToFolderTotals, addToSpaceTotals, lockSpace } from '../spaces/spaces.queries.ts';
import { fileAccess, type Recipient } from './file-access.ts';
import { nameColumnsOf, requireName } from './node-names.ts';
import { findLiveNode, getFolder, getNode, lockNode, requireFolderLevels, type TargetFolder } from './nodes.ts';
import * as queries from './tree.queries.ts';

/** @throws AppError FOLDER_NAME_REQUIRED, NAME_INVALID, NAME_TOO_LONG, NAME_EXISTS, TOO_DEEP, FOLDER_GONE, NOT_FOUND */
export async function createFolder(deps: Deps, caller: Caller, input: InputOf<typeof files.createFolder>) {
	const space = await requireSpace(deps, caller, input.owner);
	const name = requireFolderName(input.name);
	const parent = await getFolder(deps.db, space.id, input.path);
	const { id } = await withNameConflict('NAME_EXISTS', name, () =>
		inTransaction(deps.db, async (tx) => {
			await lockTargetFolder(tx, space.id, parent);
			return insertFolder(deps, tx, caller, { space, parent, name });
		}),
	);
	publishNodesChanged(deps, space.id);
	return getNode(deps.db, id);
}

/** Adds a folder, in a transaction that has locked its parent folder. @throws AppError TOO_DEEP */
export async function insertFolder(
	deps: Deps,
	tx: Db,
	caller: Caller,
	{ space, parent, name }: { space: Space; parent: TargetFolder; name: string },
) {
	requireFolderLevels(parent.path, 1);
	const folder = {
		...newNodeRow(deps, { ownerId: space.id, parent, name, kind: 'folder' }),
		real_path: await newRealPath(deps, tx, space.id),
	};
	await queries.insertNode(tx, folder);
	await addToFolderTotals(tx, space.id, parent.path, singleFolderTotals);
	await recordAudit(deps, tx, caller, 'folder-created', ['node', folder.id], { owner: space.email, name });
	return folder;
}

export async function getFile(deps: Deps, caller: Caller, id: string) {
	const row = await fileAccess().requireNode(deps.db, caller, id);
	const { url, name, size, preview, thumb } = await getNode(deps.db, row.id);
	if (url === null) throw new AppError('NOT_FOUND');
	return { file: { id: row.id, name, size, preview, thumb, url }, spaceId: row.owner_id };
}

/** Renames a node; a folder's realPath and the paths below it do not change. @throws AppError as createFolder */
export async function renameNode(deps: Deps, caller: Caller, input: { id: string; name: string }): Promise<Node> {
	const node = await fileAccess().requireNode(deps.db, caller, input.id);
	const name = node.kind === 'folder' ? requireFolderName(input.name) : requireName(input.name);
	await withNameConflict('NAME_EXISTS', name, () =>
		inTransaction(deps.db, async (tx) => {
			const current = await lockNode(tx, node);
			const names = nameColumnsOf(name, node.kind);
			await queries.updateNode(tx, node.id, names);
			await fileAccess().updateShareSortKeys(tx, node.id, names.sort_key);
			await recordAudit(deps, tx, caller, `${node.kind}-renamed`, ['node', node.id], { from: current.name, to: name });
		}),
	);
	publishNodesChanged(deps, node.owner_id);
	return getNode(deps.db, node.id);
}

/** Moves a file, or a folder with everything below it, to the trash. @throws AppError NOT_FOUND */
export async function deleteNode(deps: Deps, caller: Caller, id: string): Promise<void> {
	const node = await fileAccess().requireNode(deps.db, caller, id);
	const recipients = await inTransaction(deps.db, async (tx) => {
		const current = await lockNode(tx, node);
		return moveToTrash(deps, tx, caller, current, `${current.kind}-deleted`);
	});
	publishNodesChanged(deps, node.owner_id);
	for (const recipient of recipients)
		deps.bus.publish({ kind: 'event', audience: audienceOfRecipient(recipient), event: { topic: 'shares' } });
	publishBookAccessChanged(deps, node.owner_id);
}

/**
 * Moves a node to the trash and deletes its shares, in a transaction that has locked the space.
 * @returns the recipients of the shares, who may not receive later events of the space
 */
export async function moveToTrash(
	deps: Deps,
	tx: Db,
	caller: Caller,
	node: queries.NodeRow,
	action: 'file-deleted' | 'folder-deleted' | 'file-replaced',
): Promise<Recipient[]> {
	await queries.updateNode(tx, node.id, { deleted_at: isoAt(deps.clock) });
	const recipients = await deleteSharesOfTree(tx, node);
	await addToFolderTotals(tx, node.owner_id, node.path, negateTotals(totalsOfNode(node)));
	await recordAudit(deps, tx, caller, action, ['node', node.id], { name: node.name });
	return recipients;
}

/**
 * Deletes the shares of a deleted node and of everything below it, so that a restored node is not shared. Exclusions
 * are kept. Otherwise a node that is restored in a shared folder would become readable.
 */
async function deleteSharesOfTree(tx: Db, node: queries.NodeRow): Promise<Recipient[]> {
	const ofNode = await fileAccess().deleteSharesOfNode(tx, node.id);
	const below = node.kind === 'folder' ? await fileAccess().deleteSharesBelow(tx, node.owner_id, pathBelow(node)) : [];
	return [...new Map([...ofNode, ...below].map((recipient) => [recipient.id, recipient])).values()];
}

/** Runs a step for each node. A refused node does not stop the others, but an unexpected error does. */
export async function runBulk(deps: Deps, caller: Caller, ids: string[], step: (id: string) => Promise<unknown>) {
	const done: string[] = [];
	const refused: BulkResult['refused'] = [];
	for (const id of ids) {
		await yieldToEventLoop();
		try {
			await step(id);
			done.push(id);
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const { code, message } = errorBodyOf(toAppError(error), caller.locale);
			const name = (await queries.findNodeIncludingTrashed(deps.db, id))?.name ?? '';
			refused.push({ id, name, code, message });
		}
	}
	return { done, refused };
}

/** Locks a space, after its owner, and a folder. @throws AppError NOT_FOUND (the owner), FOLDER_GONE */
export async function lockTargetFolder(tx: Db, ownerId: string, folder: TargetFolder): Promise<void> {
	if (!(await lockSpace(tx, ownerId))) throw new AppError('NOT_FOUND');
	if (folder.id === null) return;
	const row = await queries.lockFolder(tx, folder.id);
	const isUnchanged = row !== undefined && pathBelow(row) === folder.path;
	if (!isUnchanged || (await findLiveNode(tx, folder.id)) === undefined) throw new AppError('FOLDER_GONE');
}

interface FileNode {
	ownerId: string;
	parent: TargetFolder;
	name: string;
	blob: Pick<NewBlob, 'id' | 'sizeBytes'>;
}

export interface NewFile extends FileNode {
	/** Whether the file replaces another file, which uses quota until the trash is emptied. */
	isReplacing?: boolean;
	blob: NewBlob;
}

/**
 * Adds a file to a folder in the caller's transaction; its bytes are stored already.
 * @throws AppError NOT_FOUND, FOLDER_GONE, QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH; a unique violation for a taken name
 */
export async function insertFile(deps: Deps, tx: Db, file: NewFile): Promise<string> {
	await lockTargetFolder(tx, file.ownerId, file.parent);
	await requireQuota(tx, file.ownerId, file.blob.sizeBytes, { isReplacing: file.isReplacing });
	await insertBlob(tx, file.blob, isoAt(deps.clock));
	return insertFileNode(deps, tx, file);
}

/** Adds the row of a file whose blob is stored, in a transaction that has locked its folder. @returns the file's id */
export async function insertFileNode(deps: Deps, tx: Db, { ownerId, parent, name, blob }: FileNode): Promise<string> {
	const node = {
		...newNodeRow(deps, { ownerId, parent, name, kind: 'file' }),
		size_bytes: blob.sizeBytes,
		blob_id: blob.id,
	};
	await queries.insertNode(tx, node);
	await addToFolderTotals(tx, ownerId, parent.path, totalsOfNode(node));
	await addToSpaceTotals(tx, ownerId, 1, blob.sizeBytes);
	return node.id;
}

export function nameConflictError(code: 'NAME_EXISTS' | 'FILE_EXISTS', name: string): AppError {
	const text = code === 'NAME_EXISTS' ? 'error_name_exists' : 'error_file_exists';
	return new AppError(code, { params: { name }, fields: { name: text } });
}

/** Converts a unique violation of the database to an AppError with this code. */
export async function withNameConflict<T>(code: 'NAME_EXISTS' | 'FILE_EXISTS', name: string, work: () => Promise<T>) {
	try {
		return await work();
	} catch (error) {
		throw isUniqueViolation(error) ? nameConflictError(code, name) : error;
	}
}

/** Publishes that nodes of a space have changed, so that open pages fetch them again. */
export function publishNodesChanged(deps: Deps, ownerId: string): void {
	const event = { topic: 'nodes', owner: ownerId } as const;
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event });
	if (ownerId === 'guest') deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event });
	else if (ownerId !== 'book') deps.bus.publish({ kind: 'event', audience: { to: 'user', userId: ownerId }, event });
}

/** Publishes that book access may have changed, because a deleted file of the book may have been an edition. */
export function publishBookAccessChanged(deps: Deps, ownerId: string): void {
	if (ownerId !== 'book') return;
	deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-access' } });
}

/** Creates a storage key `files/{email}/{path}/{id}-{name}`, which never changes, even if the file is renamed. */
export async function newStorageKey(deps: Deps, ownerId: string, path: string, name: string): Promise<string> {
	return storageKeyOf((await findUserById(deps.db, ownerId))?.email ?? ownerId, path, name);
}

/** Like {@link newStorageKey}, for a known owner: an email address, or the name of a reserved space. */
export function storageKeyOf(owner: string, path: string, name: string): string {
	const folders = path === '' ? [] : path.split('/').map(toKeySegment);
	return ['files', toKeySegment(owner), ...folders, `${newTimedId()}-${toKeySegment(name)}`].join('/');
}

const singleFolderTotals = { folders: 1, files: 0, sizeBytes: 0 };

export function totalsOfNode(node: { kind: 'folder' | 'file'; size_bytes: number }) {
	return node.kind === 'folder' ? singleFolderTotals : { folders: 0, files: 1, sizeBytes: node.size_bytes };
}

export function negateTotals(change: { folders: number; files: number; sizeBytes: number }) {
	return { folders: -change.folders, files: -change.files, sizeBytes: -change.sizeBytes };
}

export function requireFolderName(name: string): string {
	if (name.trim() === '')
		throw new AppError('FOLDER_NAME_REQUIRED', { fields: { name: 'error_folder_name_required' } });
	return requireName(name);
}

/** Returns a timestamp that is later than every realPath of this owner, even if the clock was set back. */
export async function newRealPath(deps: Deps, tx: Db, ownerId: string): Promise<string> {
	const last = await queries.findLastRealPath(tx, ownerId);
	return String(Math.max(deps.clock.now().getTime(), last === null ? 0 : Number(last) + 1));
}

interface NewNode {
	ownerId: string;
	parent: TargetFolder;
	name: string;
	kind: 'folder' | 'file';
}

export function newNodeRow(deps: Deps, { ownerId, parent, name, kind }: NewNode) {
	return {
		id: newTimedId(),
		owner_id: ownerId,
		parent_id: parent.id,
		path: parent.path,
		real_path: null as string | null,
		kind,
		kind_order: kind === 'folder' ? 0 : 1,
		...nameColumnsOf(name, kind),
		size_bytes: 0,
		blob_id: null as string | null,
		created_at: isoAt(deps.clock),
		deleted_at: null as string | null,
	};
}
