import { previewKindOf } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { canReadSpace } from './files.policy.ts';
import * as queries from './files.queries.ts';
import { requireActor } from './files.spaces.ts';
import { endingOf } from './names.ts';
import { findFolderTotals } from './totals.queries.ts';

/** The folder that something is put into; the root has no id. */
export interface FolderPlace {
	id: string | null;
	/** Path of what lies in it. */
	path: string;
}

/** Path of what lies in a folder. */
export function pathBelow(folder: { path: string; real_path: string | null }): string {
	return folder.path === '' ? String(folder.real_path) : `${folder.path}/${folder.real_path}`;
}

/** A node that neither is deleted nor lies in a folder that is. */
export async function findLiveNode(db: Db, id: string): Promise<queries.NodeRow | undefined> {
	const node = await queries.findNode(db, id);
	if (node === undefined || node.path === '') return node;
	const folders = await queries.findFoldersByRealPaths(db, node.owner_id, node.path.split('/'));
	return folders.length === node.path.split('/').length ? node : undefined;
}

/** A node that the actor may read. @throws AppError NOT_FOUND, alike for absent and forbidden */
export async function requireNode(db: Db, caller: Caller, id: string): Promise<queries.NodeRow> {
	const node = await findLiveNode(db, id);
	if (node === undefined || !canReadSpace(requireActor(caller), node.owner_id)) throw new AppError('NOT_FOUND');
	return node;
}

/** The folders from the root down to `path`, each checked to stand where the path says. @throws AppError FOLDER_GONE */
export async function findBreadcrumb(
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

/** The folder that a path names in a space. @throws AppError FOLDER_GONE */
export async function requireFolder(db: Db, ownerId: string, path: string): Promise<FolderPlace> {
	const breadcrumb = await findBreadcrumb(db, ownerId, path);
	return { id: breadcrumb.at(-1)?.id ?? null, path };
}

/**
 * Leaves out what lies in a deleted folder.
 * @returns the rest, each with the names of its folders from the root
 */
export async function withLiveFolders<T extends { path: string }>(
	db: Db,
	ownerId: string,
	rows: readonly T[],
): Promise<Array<{ row: T; folders: string[] }>> {
	const realPaths = [...new Set(rows.flatMap(({ path }) => (path === '' ? [] : path.split('/'))))];
	const names = new Map<string | null, string>();
	for (let start = 0; start < realPaths.length; start += 1000) {
		const some = await queries.findFoldersByRealPaths(db, ownerId, realPaths.slice(start, start + 1000));
		for (const folder of some) names.set(folder.realPath, folder.name);
	}
	return rows.flatMap((row) => {
		const folders = row.path === '' ? [] : row.path.split('/').map((realPath) => names.get(realPath));
		return folders.every((name) => name !== undefined) ? [{ row, folders }] : [];
	});
}

/** One node as it is shown. @throws AppError NOT_FOUND */
export async function getNode(db: Db, id: string): Promise<Node> {
	const row = await findLiveNode(db, id);
	const [node] = row === undefined ? [] : await presentNodes(db, [{ row, folders: null }]);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return node;
}

/** Nodes of one space as they are shown. */
export async function presentNodes(
	db: Db,
	entries: ReadonlyArray<{ row: queries.NodeRow; folders: string[] | null }>,
): Promise<Node[]> {
	const folderRows = entries.map(({ row }) => row).filter((row) => row.kind === 'folder');
	const ownerId = folderRows[0]?.owner_id;
	const totals = ownerId === undefined ? [] : await findFolderTotals(db, ownerId, folderRows.map(pathBelow));
	const counts = new Map(totals.map((total) => [total.path, total.folders + total.files]));
	return entries.map(({ row, folders }) => ({
		id: row.id,
		kind: row.kind,
		name: row.name,
		path: row.path,
		realPath: row.real_path,
		size: row.size_bytes,
		uploadedAt: row.created_at,
		itemCount: row.kind === 'folder' ? (counts.get(pathBelow(row)) ?? 0) : 0,
		folders,
		url: row.kind === 'file' ? `/api/files/${row.id}/content` : null,
		preview: row.kind === 'file' ? previewOf(row.name, row.contentType) : null,
		thumb: thumbOf(row),
	}));
}

/** The version in it changes with the picture, so that a page that shows an older one, or none, asks again. */
function thumbOf(row: queries.NodeRow): string | null {
	const url = `/api/files/${row.id}/thumb`;
	if (row.thumbBlobId !== null) return `${url}?v=${row.thumbBlobId}`;
	return row.thumbMadeAt === null && canHaveThumbnail(row.contentType) ? url : null;
}

const drawableTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf']);

/** Whether the server can draw a small picture of such bytes. */
export function canHaveThumbnail(contentType: string | null): boolean {
	return contentType !== null && drawableTypes.has(contentType);
}

/** The preview that name and content agree on; `.ogg` is decided by content alone. */
export function previewOf(name: string, contentType: string | null): Node['preview'] {
	const byName = previewKindOf(name);
	// A drawing that can run scripts is no picture, whatever its name says.
	if (byName === null || contentType === null || contentType === 'image/svg+xml') return null;
	const byContent = contentType === 'application/pdf' ? 'pdf' : contentType.split('/')[0];
	if (endingOf(name) === 'ogg') return byContent === 'audio' || byContent === 'video' ? byContent : null;
	return byName === byContent ? byName : null;
}
