import { limits } from '#contract/core/limits.ts';
import { type PreviewKind, previewOf } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { pathBelow, realPathsOf } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Reader } from '../../accounts/index.ts';
import { findFolderTotals, lockSpace } from '../spaces/spaces.queries.ts';
import { fileAccess } from './file-access.ts';
import * as queries from './tree.queries.ts';

/** The folder into which a node is placed; the root has no id. */
export interface TargetFolder {
	id: string | null;
	/** Path of the folder's children. */
	path: string;
}

/** Finds a node that is neither deleted nor inside a deleted folder. */
export async function findLiveNode(db: Db, id: string): Promise<queries.NodeRow | undefined> {
	return (await findLiveNodes(db, [id]))[0];
}

/** Returns the nodes that exist and are not in a deleted folder, each once, in any order. */
export async function findLiveNodes(db: Db, ids: readonly string[]): Promise<queries.NodeRow[]> {
	return (await withFolders(db, await queries.findNodes(db, [...new Set(ids)]))).map(({ row }) => row);
}

/**
 * Locks the owner of a node and its space.
 * @returns the current node
 * @throws AppError NOT_FOUND when the node or the owner was deleted meanwhile
 */
export async function lockNode(tx: Db, node: queries.NodeRow): Promise<queries.NodeRow> {
	if (!(await lockSpace(tx, node.owner_id))) throw new AppError('NOT_FOUND');
	return required(await findLiveNode(tx, node.id), 'NOT_FOUND');
}

export async function listChildren(db: Db, folderId: string, afterKey: string, limit: number) {
	const folder = await queries.findNodeIncludingTrashed(db, folderId);
	return folder === undefined
		? []
		: queries.listChildrenByName(db, folder.owner_id, pathBelow(folder), afterKey, limit);
}

/** Returns the folders on `path`, from the root down. @throws AppError FOLDER_GONE */
export async function getBreadcrumb(db: Db, ownerId: string, path: string) {
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

/** Returns the folder with this path in a space. @throws AppError FOLDER_GONE */
export async function getFolder(db: Db, ownerId: string, path: string): Promise<TargetFolder> {
	const breadcrumb = await getBreadcrumb(db, ownerId, path);
	return { id: breadcrumb.at(-1)?.id ?? null, path };
}

/** Returns the nodes that are not in a deleted folder, in order, each with its parent folders from the root. */
export async function withFolders<T extends { owner_id: string; path: string }>(db: Db, rows: readonly T[]) {
	// A realPath is unique only within its space.
	const foldersByKey = new Map<string, queries.FolderRef>();
	for (const [ownerId, rowsOfSpace] of Map.groupBy(rows, (row) => row.owner_id)) {
		const realPaths = [...new Set(rowsOfSpace.flatMap(({ path }) => realPathsOf(path)))];
		for (let start = 0; start < realPaths.length; start += 1000) {
			const batch = await queries.findFoldersByRealPaths(db, ownerId, realPaths.slice(start, start + 1000));
			for (const folder of batch) foldersByKey.set(`${ownerId}/${folder.real_path}`, folder);
		}
	}
	return rows.flatMap((row) => {
		const folders = realPathsOf(row.path).map((realPath) => foldersByKey.get(`${row.owner_id}/${realPath}`));
		return folders.every((folder) => folder !== undefined) ? [{ row, folders }] : [];
	});
}

export async function withFolderNames<T extends { owner_id: string; path: string }>(db: Db, rows: readonly T[]) {
	const located = await withFolders(db, rows);
	return located.map(({ row, folders }) => ({ row, folders: folders.map(({ name }) => name) }));
}

export async function getNode(db: Db, id: string): Promise<Node> {
	const [node] = await presentNodes(db, [required(await findLiveNode(db, id), 'NOT_FOUND')]);
	return required(node, 'NOT_FOUND');
}

/** Maps nodes to their wire form, with `folders` null. For a recipient, item counts omit excluded nodes. */
export async function presentNodes(
	db: Db,
	rows: readonly queries.ListedNode[],
	reader: Reader | null = null,
): Promise<Node[]> {
	const folderRows = rows.filter((row) => row.kind === 'folder');
	const counts = new Map<string, number>();
	for (const [ownerId, rowsOfSpace] of Map.groupBy(folderRows, (row) => row.owner_id)) {
		const totals = await findVisibleTotals(db, { ownerId, reader }, rowsOfSpace.map(pathBelow));
		for (const { path, folders, files } of totals) counts.set(`${ownerId}/${path}`, folders + files);
	}
	return rows.map((row) => {
		const preview = row.kind === 'file' ? previewOf(row.name, row.contentType) : null;
		return {
			id: row.id,
			kind: row.kind,
			name: row.name,
			path: row.path,
			realPath: row.real_path,
			size: row.size_bytes,
			uploadedAt: row.created_at,
			itemCount: row.kind === 'folder' ? (counts.get(`${row.owner_id}/${pathBelow(row)}`) ?? 0) : 0,
			folders: null,
			url: row.kind === 'file' ? `/api/files/${row.id}/content` : null,
			preview,
			thumb: thumbnailUrlOf(row, preview),
		};
	});
}

/** Returns the totals of each folder's children, without nodes that are excluded for the recipient. */
export async function findVisibleTotals(
	db: Db,
	{ ownerId, reader }: { ownerId: string; reader: Reader | null },
	paths: string[],
) {
	const totals = await findFolderTotals(db, ownerId, paths);
	if (reader === null || totals.length === 0) return totals;
	const excludedTotals = await fileAccess().sumExcludedByFolder(db, reader, ownerId, paths);
	const excluded = new Map(excludedTotals.map((totalsOfPath) => [totalsOfPath.path, totalsOfPath]));
	return totals.map((total) => {
		const { folders = 0, files = 0, sizeBytes = 0 } = excluded.get(total.path) ?? {};
		return {
			path: total.path,
			folders: total.folders - folders,
			files: total.files - files,
			sizeBytes: total.sizeBytes - sizeBytes,
		};
	});
}

/** Returns a URL that changes with the thumbnail, so that pages load a new thumbnail. */
function thumbnailUrlOf(row: queries.ListedNode, preview: PreviewKind | null): string | null {
	const url = `/api/files/${row.id}/thumb`;
	if (row.thumbBlobId !== null) return `${url}?v=${row.thumbBlobId}`;
	// A file without a preview, such as an image named .txt, gets no thumbnail.
	return row.thumbMadeAt === null && preview !== null && canHaveThumbnail(row.contentType) ? url : null;
}

const thumbnailTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf']);

export function canHaveThumbnail(contentType: string | null): boolean {
	return contentType !== null && thumbnailTypes.has(contentType);
}

/** Requires that folders with `levels` levels may be added below `path`. @throws AppError TOO_DEEP */
export function requireFolderLevels(path: string, levels: number): void {
	if (realPathsOf(path).length + levels > limits.folderLevelsMax)
		throw new AppError('TOO_DEEP', { params: { count: String(limits.folderLevelsMax) } });
}
