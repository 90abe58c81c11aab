import { previewOf } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../platform/app-error.ts';
import * as queries from './files.queries.ts';
import { sumExcluded } from './grants.queries.ts';
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
	const [placed] = node === undefined ? [] : await withFolders(db, node.owner_id, [node]);
	return placed?.row;
}

/** Some live children of a folder in the order of their comparable names, from wherever the folder stands now. */
export async function listChildren(db: Db, folderId: string, afterKey: string, limit: number) {
	const folder = await queries.findAnyNode(db, folderId);
	return folder === undefined
		? []
		: queries.listChildrenByName(db, folder.owner_id, pathBelow(folder), afterKey, limit);
}

/** A folder if it is still there, else the root of its space. */
export async function placeOrRoot(tx: Db, folder: FolderPlace): Promise<FolderPlace> {
	const row = folder.id === null ? undefined : await findLiveNode(tx, folder.id);
	return row === undefined ? { id: null, path: '' } : { id: row.id, path: pathBelow(row) };
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
		(await queries.findFoldersByRealPaths(db, ownerId, realPaths)).map((folder) => [folder.real_path, folder]),
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

/** A folder on the way to something. */
export type FolderRef = Awaited<ReturnType<typeof queries.findFoldersByRealPaths>>[number];

/**
 * Leaves out what lies in a deleted folder.
 * @returns the rest, each with its folders from the root
 */
export async function withFolders<T extends { path: string }>(
	db: Db,
	ownerId: string,
	rows: readonly T[],
): Promise<Array<{ row: T; folders: FolderRef[] }>> {
	const realPaths = [...new Set(rows.flatMap(({ path }) => (path === '' ? [] : path.split('/'))))];
	const found = new Map<string | null, FolderRef>();
	for (let start = 0; start < realPaths.length; start += 1000) {
		const some = await queries.findFoldersByRealPaths(db, ownerId, realPaths.slice(start, start + 1000));
		for (const folder of some) found.set(folder.real_path, folder);
	}
	return rows.flatMap((row) => {
		const folders = row.path === '' ? [] : row.path.split('/').map((realPath) => found.get(realPath));
		return folders.every((folder) => folder !== undefined) ? [{ row, folders }] : [];
	});
}

/** Of nodes of any spaces those that lie in no deleted folder. */
export async function findLiveRows<T extends { path: string; owner_id: string }>(
	db: Db,
	rows: readonly T[],
): Promise<T[]> {
	const live = new Set<T>();
	for (const [ownerId, own] of Map.groupBy(rows, (row) => row.owner_id))
		for (const { row } of await withFolders(db, ownerId, own)) live.add(row);
	return rows.filter((row) => live.has(row));
}

/** The same with the names of the folders. */
export async function withLiveFolders<T extends { path: string }>(
	db: Db,
	ownerId: string,
	rows: readonly T[],
): Promise<Array<{ row: T; folders: string[] }>> {
	const placed = await withFolders(db, ownerId, rows);
	return placed.map(({ row, folders }) => ({ row, folders: folders.map(({ name }) => name) }));
}

/** One node as it is shown. @throws AppError NOT_FOUND */
export async function getNode(db: Db, id: string): Promise<Node> {
	const row = await findLiveNode(db, id);
	const [node] = row === undefined ? [] : await presentNodes(db, [{ row, folders: null }]);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return node;
}

/** Nodes as they are shown; to a recipient without counting what is left out for them. */
export async function presentNodes(
	db: Db,
	entries: ReadonlyArray<{ row: queries.NodeRow; folders: string[] | null }>,
	recipientId: string | null = null,
): Promise<Node[]> {
	const folderRows = entries.map(({ row }) => row).filter((row) => row.kind === 'folder');
	const counts = new Map<string, number>();
	for (const [ownerId, own] of Map.groupBy(folderRows, (row) => row.owner_id)) {
		const totals = await findVisibleTotals(db, { ownerId, recipientId }, own.map(pathBelow));
		for (const { path, folders, files } of totals) counts.set(`${ownerId}/${path}`, folders + files);
	}
	return entries.map(({ row, folders }) => ({
		id: row.id,
		kind: row.kind,
		name: row.name,
		path: row.path,
		realPath: row.real_path,
		size: row.size_bytes,
		uploadedAt: row.created_at,
		itemCount: row.kind === 'folder' ? (counts.get(`${row.owner_id}/${pathBelow(row)}`) ?? 0) : 0,
		folders,
		url: row.kind === 'file' ? `/api/files/${row.id}/content` : null,
		preview: row.kind === 'file' ? previewOf(row.name, row.contentType) : null,
		thumb: thumbOf(row),
	}));
}

/** What lies right in some folders of a space, without what is left out for the recipient. */
export async function findVisibleTotals(
	db: Db,
	{ ownerId, recipientId }: { ownerId: string; recipientId: string | null },
	paths: string[],
) {
	const totals = await findFolderTotals(db, ownerId, paths);
	if (recipientId === null || totals.length === 0) return totals;
	const excluded = new Map((await sumExcluded(db, recipientId, ownerId, paths)).map((each) => [each.path, each]));
	return totals.map((total) => {
		const less = excluded.get(total.path);
		return {
			path: total.path,
			folders: total.folders - (less?.folders ?? 0),
			files: total.files - (less?.files ?? 0),
			sizeBytes: total.sizeBytes - (less?.sizeBytes ?? 0),
		};
	});
}

/** The version in it changes with the picture, so that a page that shows an older one, or none, asks again. */
function thumbOf(row: queries.NodeRow): string | null {
	const url = `/api/files/${row.id}/thumb`;
	if (row.thumbBlobId !== null) return `${url}?v=${row.thumbBlobId}`;
	// What is called .txt or .zip is asked for no picture, whatever it holds.
	const isDrawn = canHaveThumbnail(row.contentType) && previewOf(row.name, row.contentType) !== null;
	return row.thumbMadeAt === null && isDrawn ? url : null;
}

const drawableTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf']);

/** Whether the server can draw a small picture of such bytes. */
export function canHaveThumbnail(contentType: string | null): boolean {
	return contentType !== null && drawableTypes.has(contentType);
}
