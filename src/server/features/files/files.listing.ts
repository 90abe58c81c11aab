import * as z from 'zod';
import { endingsOfFilter, type FileFilter, previewKindOf } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { canWriteSpace } from './files.policy.ts';
import * as queries from './files.queries.ts';
import { requireActor, requireSpace } from './files.spaces.ts';
import { endingOf, nameKeyOf } from './names.ts';

const place = z.tuple([z.number(), z.string(), z.string()]);

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

/** One node as it is shown. @throws AppError NOT_FOUND */
export async function getNode(deps: Deps, id: string): Promise<Node> {
	const row = await queries.findLiveNode(deps.db, id);
	const [node] = row === undefined ? [] : await presentNodes(deps.db, [row]);
	if (node === undefined) throw new AppError('NOT_FOUND');
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
	// A drawing that can run scripts is no picture, whatever its name says.
	if (byName === null || contentType === null || contentType === 'image/svg+xml') return null;
	const byContent = contentType === 'application/pdf' ? 'pdf' : contentType.split('/')[0];
	if (endingOf(name) === 'ogg') return byContent === 'audio' || byContent === 'video' ? byContent : null;
	return byName === byContent ? byName : null;
}
