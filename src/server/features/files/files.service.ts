import * as z from 'zod';
import { endingsOfFilter, type FileFilter, previewKindOf } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor, Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { safeSegment } from '../../platform/storage/storage.ts';
import { findUserByEmail, findUserById } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { canReadSpace, canWriteSpace, reservedOwners } from './files.policy.ts';
import * as queries from './files.queries.ts';
import { endingOf, nameKeyOf, requireName, sortKeyOf } from './names.ts';

const place = z.tuple([z.number(), z.string(), z.string()]);

/** A space that the actor may read. */
export interface Space {
	id: string;
	/** The owner's address, or the reserved name. */
	email: string;
}

/** The folder that something is put into; the root has no id. */
export interface FolderPlace {
	id: string | null;
	/** Path of what lies in it. */
	path: string;
}

function requireActor(caller: Caller): Actor {
	if (caller.actor === null) throw new AppError('UNAUTHORIZED');
	return caller.actor;
}

/** Resolves `me`, a reserved owner or an address. @throws AppError NOT_FOUND, alike for absent and forbidden. */
export async function requireSpace(deps: Deps, caller: Caller, owner: string): Promise<Space> {
	const actor = requireActor(caller);
	if (owner === 'me') return { id: actor.userId, email: actor.email };
	const reserved = reservedOwners.find((name) => name === owner.toLowerCase());
	const user = reserved === undefined ? await findUserByEmail(deps.db, owner) : undefined;
	const space = reserved !== undefined ? { id: reserved, email: reserved } : user && { id: user.id, email: user.email };
	if (space === undefined || !canReadSpace(actor, space.id)) throw new AppError('NOT_FOUND');
	return space;
}

export interface ListingInput {
	owner: string;
	path: string;
	search?: string | undefined;
	type: FileFilter;
	cursor?: string | undefined;
	limit: number;
}

/** One page of a folder with its breadcrumb and totals. @throws AppError NOT_FOUND, FOLDER_GONE */
export async function listFolder(deps: Deps, caller: Caller, input: ListingInput) {
	const space = await requireSpace(deps, caller, input.owner);
	const breadcrumb = await findBreadcrumb(deps.db, space.id, input.path);
	const after = unpackCursor(input.cursor, place);
	const rows = await queries.listNodes(deps.db, {
		ownerId: space.id,
		path: input.path,
		searchKey: nameKeyOf((input.search ?? '').trim()),
		endings: endingsOfFilter(input.type),
		after: after && { kindOrder: after[0], sortKey: after[1], id: after[2] },
		limit: input.limit + 1,
	});
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	const totals = await queries.sumFolder(deps.db, space.id, input.path);
	const files = totals.find((total) => total.kind === 'file');
	return {
		breadcrumb,
		items: await presentNodes(deps.db, page),
		nextCursor: rows.length > page.length && last ? packCursor([last.kind_order, last.sort_key, last.id]) : null,
		totals: {
			folders: totals.find((total) => total.kind === 'folder')?.count ?? 0,
			files: files?.count ?? 0,
			size: files?.size ?? 0,
		},
		can: { write: canWriteSpace(requireActor(caller)) },
		space,
	};
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
			await requireFolderStays(tx, parent);
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
			level = await queries.findChildIds(tx, level);
			if (level.length > 0) await queries.markDeleted(tx, level, now);
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

/** Inside a transaction: the folder is still there and stays until the commit. @throws AppError FOLDER_GONE */
export async function requireFolderStays(tx: Db, folder: FolderPlace): Promise<void> {
	if (folder.id !== null && (await queries.lockFolder(tx, folder.id)) === undefined) throw new AppError('FOLDER_GONE');
}

export interface NewFile {
	ownerId: string;
	parent: FolderPlace;
	name: string;
	blob: { id: string; storageKey: string; sizeBytes: number; sha256: string; contentType: string };
}

/** Puts a file whose bytes are safe into a folder, inside the caller's transaction. @throws AppError FOLDER_GONE; a unique violation for a taken name */
export async function insertFile(deps: Deps, tx: Db, file: NewFile): Promise<string> {
	await requireFolderStays(tx, file.parent);
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

export { findBlob, findLiveNode, insertBlob, listFilesByEnding } from './files.queries.ts';

async function getNode(deps: Deps, id: string): Promise<Node> {
	const row = await queries.findLiveNode(deps.db, id);
	const [node] = row === undefined ? [] : await presentNodes(deps.db, [row]);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return node;
}

function requireFolderName(name: string): string {
	if (name.trim() === '')
		throw new AppError('FOLDER_NAME_REQUIRED', { fields: { name: 'error_folder_name_required' } });
	return requireName(name);
}

/** The folders from the root down to `path`, each checked to stand where the path says. @throws AppError FOLDER_GONE */
async function findBreadcrumb(
	db: Db,
	ownerId: string,
	path: string,
): Promise<Array<{ id: string; name: string; path: string }>> {
	if (path === '') return [];
	const realPaths = path.split('/');
	const folders = new Map(
		(await queries.findFoldersByRealPaths(db, ownerId, realPaths)).map((folder) => [folder.realPath, folder]),
	);
	return realPaths.map((realPath, depth) => {
		const folder = folders.get(realPath);
		if (folder === undefined || folder.path !== realPaths.slice(0, depth).join('/')) throw new AppError('FOLDER_GONE');
		return { id: folder.id, name: folder.name, path: realPaths.slice(0, depth + 1).join('/') };
	});
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

async function presentNodes(db: Db, rows: queries.NodeRow[]): Promise<Node[]> {
	const folderIds = rows.filter((row) => row.kind === 'folder').map((row) => row.id);
	const counts = folderIds.length === 0 ? [] : await queries.countChildren(db, folderIds);
	const childCounts = new Map(counts.map((row) => [row.parentId, row.count]));
	return rows.map((row) => ({
		id: row.id,
		kind: row.kind,
		name: row.name,
		path: row.path,
		realPath: row.real_path,
		size: row.size_bytes,
		uploadedAt: row.created_at,
		itemCount: childCounts.get(row.id) ?? 0,
		url: row.kind === 'file' ? `/api/files/${row.id}/content` : null,
		preview: row.kind === 'file' ? previewOf(row.name, row.contentType) : null,
	}));
}

/** The preview that name and content agree on; `.ogg` is decided by content alone. */
export function previewOf(name: string, contentType: string | null): Node['preview'] {
	const byName = previewKindOf(name);
	if (byName === null || contentType === null) return null;
	const byContent = contentType === 'application/pdf' ? 'pdf' : contentType.split('/')[0];
	if (endingOf(name) === 'ogg') return byContent === 'audio' || byContent === 'video' ? byContent : null;
	return byName === byContent ? byName : null;
}
