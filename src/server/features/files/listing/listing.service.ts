import * as z from 'zod';
import type { FileFilter } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { packCursor, unpackCursor } from '../../../platform/cursor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { findSpace, requireActor } from '../spaces/find-space.ts';
import { getSpaceUsage } from '../spaces/quota.ts';
import { canReadSpace, canWriteSpace } from '../spaces/spaces.policy.ts';
import { fileAccess } from '../tree/file-access.ts';
import { nameKeyOf } from '../tree/node-names.ts';
import { findVisibleTotals, getBreadcrumb, pathBelow, presentNodes, withFolderNames } from '../tree/nodes.ts';
import * as queries from '../tree/tree.queries.ts';

/** Shorter texts have no trigrams. */
const minIndexedSearchLength = 3;
/** More names than this are found quicker by reading the space in order than by their trigrams. */
const rareNamesMax = 2000;
/** The same in what is shared with somebody: reading it in order meets these often enough. */
const rareSharedNamesMax = 5000;

/** Kind, value in the order, id: of the last row of the page before. */
export const listCursor = z.tuple([z.literal([0, 1]), z.union([z.string(), z.number()]), z.string()]);

/** How many names are looked through at once for somebody who may not read all of them. */
const recipientBatchSize = 500;
/** A page is given out, full or not, when so many were looked through: the next goes on from there. */
const scannedRowsMax = 5000;

export interface FolderListQuery extends ListQuery {
	owner: string;
	path: string;
}

export interface ListQuery {
	search?: string | undefined;
	type: FileFilter;
	sort: queries.SortColumn;
	order: 'asc' | 'desc';
	kind?: 'folder' | 'file' | undefined;
	cursor?: string | undefined;
	until?: string | undefined;
	limit: number;
}

interface Page {
	items: Node[];
	nextCursor: string | null;
}

/** What is listed: what lies right in a folder, or with a search everything below it. */
export interface ListScope {
	/** Null: everything that the recipient reads by shares, wherever it is; for searches only. */
	ownerId: string | null;
	/** Path of what lies in the folder. */
	path: string;
	/** Whose entries leave something out; null where the whole space is open. */
	recipientId: string | null;
}

/**
 * One page of a folder, or of what a search finds in the space, with breadcrumb and totals. Somebody who reads the folder
 * by a share sees it from there inwards, without what is left out for them.
 * @throws AppError NOT_FOUND, FOLDER_GONE
 */
export async function listFolder(deps: Deps, caller: Caller, input: FolderListQuery) {
	const actor = requireActor(caller);
	const space = await findSpace(deps, actor, input.owner);
	if (space === undefined) throw new AppError('NOT_FOUND');
	const isOpen = canReadSpace(actor, space.id);
	const breadcrumb = isOpen
		? await getBreadcrumb(deps.db, space.id, input.path)
		: await requireSharedBreadcrumb(deps, caller, space.id, input.path);
	const scope = { ownerId: space.id, path: input.path, recipientId: isOpen ? null : actor.userId };
	return {
		breadcrumb,
		...(await listWithTotals(deps, scope, input)),
		can: { write: canWriteSpace(actor) },
		use: canWriteSpace(actor) ? await getSpaceUsage(deps.db, space.id) : null,
		space,
	};
}

/** The folders down to a shared one that the caller reads. @throws AppError NOT_FOUND, alike for absent and forbidden */
async function requireSharedBreadcrumb(
	deps: Deps,
	caller: Caller,
	ownerId: string,
	path: string,
): Promise<BreadcrumbFolder[]> {
	const [folder] = await queries.findFoldersByRealPaths(deps.db, ownerId, path.split('/').slice(-1));
	if (folder === undefined || pathBelow(folder) !== path) throw new AppError('NOT_FOUND');
	return getSharedBreadcrumb(
		deps,
		requireActor(caller).userId,
		await fileAccess().requireNode(deps.db, caller, folder.id),
	);
}

interface BreadcrumbFolder {
	id: string;
	name: string;
	path: string;
}

/** From the outermost folder that this person reads down to a folder that they read; null: who reads the whole space. */
export async function getSharedBreadcrumb(
	deps: Deps,
	recipientId: string | null,
	folder: queries.NodeRow,
): Promise<BreadcrumbFolder[]> {
	if (recipientId === null) return getBreadcrumb(deps.db, folder.owner_id, pathBelow(folder));
	const above = await fileAccess().listReadableFolders(deps.db, recipientId, folder);
	return [...above, folder].map((each) => ({ id: each.id, name: each.name, path: pathBelow(each) }));
}

/** What lies there, with the totals of the whole folder. */
export async function listWithTotals(deps: Deps, scope: ListScope & { ownerId: string }, input: ListQuery) {
	const page = await (searchKeyOf(input) === '' ? listPage(deps, scope, input) : searchPage(deps, scope, input));
	const [totals] = await findVisibleTotals(deps.db, scope, [scope.path]);
	return {
		...page,
		totals: { folders: totals?.folders ?? 0, files: totals?.files ?? 0, size: totals?.sizeBytes ?? 0 },
	};
}

/** What names are compared with; '' for no search. */
export function searchKeyOf(input: { search?: string | undefined }): string {
	return nameKeyOf((input.search ?? '').trim());
}

/** Whether a search is answered quicker by trigrams than by reading a space in order. */
export async function isRareSearch(db: Db, searchKey: string): Promise<boolean> {
	if ([...searchKey].length < minIndexedSearchLength) return false;
	return (await queries.countMatchingNames(db, searchKey, rareNamesMax)) < rareNamesMax;
}

async function listPage(deps: Deps, scope: ListScope & { ownerId: string }, input: ListQuery): Promise<Page> {
	const after = unpackCursor(input.cursor, listCursor);
	const until = unpackCursor(input.until, listCursor);
	const group = input.type === 'all' ? '' : input.type;
	const rows: queries.NodeRow[] = [];
	for (const kindOrder of kindOrdersOf(input)) {
		const remaining = input.limit + 1 - rows.length;
		if (remaining === 0 || (after !== null && after[0] > kindOrder)) continue;
		if (until !== null && until[0] < kindOrder) continue;
		const sort = sortForKind(kindOrder, input.sort);
		rows.push(
			...(await queries.listNodes(deps.db, {
				...scope,
				kindOrder,
				group,
				sort,
				order: input.order,
				after: after?.[0] === kindOrder ? { value: after[1], id: after[2] } : null,
				until: until?.[0] === kindOrder ? { value: until[1], id: until[2] } : null,
				limit: remaining,
			})),
		);
	}
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	return {
		items: await presentNodes(
			deps.db,
			page.map((row) => ({ row, folders: null })),
			scope.recipientId,
		),
		nextCursor: rows.length > page.length && last ? cursorAfter(last, input.sort) : null,
	};
}

/** What folders, or files, stand by in an order: folders have no size. */
export function sortForKind(kindOrder: number, sort: queries.SortColumn): queries.SortColumn {
	return kindOrder === 0 && sort === 'size' ? 'name' : sort;
}

/** Leads on behind a row, in the order that it was listed in. */
export function cursorAfter(row: queries.NodeRow, sort: queries.SortColumn): string {
	return packCursor([row.kind_order, queries.sortValueOf(row, sortForKind(row.kind_order, sort)), row.id]);
}

/** Folders before files; a type filter shows files alone. */
export function kindOrdersOf(input: Pick<ListQuery, 'type' | 'kind'>): ReadonlyArray<0 | 1> {
	if (input.type !== 'all' || input.kind === 'file') return input.kind === 'folder' ? [] : [1];
	return input.kind === 'folder' ? [0] : [0, 1];
}

/** By name, below the folder; for somebody who reads by shares, what they may read of it. */
export async function searchPage(deps: Deps, scope: ListScope, input: ListQuery): Promise<Page> {
	const searchKey = searchKeyOf(input);
	const start = unsealCursor(deps, scope, input.cursor);
	const end = unsealCursor(deps, scope, input.until);
	const isRare = await isRareSearch(deps.db, searchKey);
	const isRareInShares =
		!isRare &&
		scope.recipientId !== null &&
		(await queries.countMatchingSharedNames(deps.db, scope.recipientId, searchKey, rareSharedNamesMax)) <
			rareSharedNamesMax;
	const batchSize = scope.recipientId === null ? input.limit + 1 : Math.max(input.limit + 1, recipientBatchSize);
	let after: queries.SearchPosition | null = start && { kindOrder: start[0], sortKey: String(start[1]), id: start[2] };
	let scannedRows = 0;
	const found: FoundNode[] = [];
	let isMore = true;
	while (isMore && found.length <= input.limit && scannedRows < scannedRowsMax) {
		const rows = await queries.searchNodes(deps.db, {
			ownerId: scope.ownerId,
			// Somebody whose space it is searches all of it, wherever they stand.
			below: scope.recipientId === null || scope.path === '' ? null : scope.path,
			recipientId: scope.recipientId,
			searchKey,
			group: input.type === 'all' ? '' : input.type,
			kindOrder: input.kind === undefined ? null : input.kind === 'folder' ? 0 : 1,
			after,
			until: end && { kindOrder: end[0], sortKey: String(end[1]), id: end[2] },
			limit: batchSize,
			isRare,
			isRareInShares,
		});
		await yieldToEventLoop();
		found.push(...(await filterReadableInScope(deps, scope, rows)));
		scannedRows += rows.length;
		const last = rows.at(-1);
		isMore = rows.length === batchSize;
		if (last !== undefined) after = { kindOrder: last.kind_order, sortKey: last.sort_key, id: last.id };
	}
	const page = found.slice(0, input.limit);
	const last = page.at(-1)?.row;
	const lastShown = last && { kindOrder: last.kind_order, sortKey: last.sort_key, id: last.id };
	const nextAfter = found.length > page.length ? lastShown : isMore ? after : null;
	return {
		items: await presentNodes(deps.db, page, scope.recipientId),
		nextCursor: nextAfter ? sealCursor(deps, scope, [nextAfter.kindOrder, nextAfter.sortKey, nextAfter.id]) : null,
	};
}

const cursorContext = 'files.search-cursor';

/** What was looked at last may be something that this person does not read: its name must not stand in the cursor. */
function sealCursor(deps: Deps, { recipientId }: ListScope, last: [number, string, string]): string {
	return recipientId === null ? packCursor(last) : deps.secrets.seal(cursorContext, JSON.stringify(last));
}

/** @throws AppError INVALID_INPUT for a cursor that we did not make */
function unsealCursor(deps: Deps, { recipientId }: ListScope, cursor: string | undefined) {
	if (recipientId === null || cursor === undefined || cursor === '') return unpackCursor(cursor, listCursor);
	try {
		return listCursor.parse(JSON.parse(deps.secrets.unseal(cursorContext, cursor)));
	} catch (error) {
		throw new AppError('INVALID_INPUT', { fields: { cursor: 'error_invalid_input' }, cause: error });
	}
}

interface FoundNode {
	row: queries.NodeRow;
	/** Names of the folders it stands in, as far as the person may know them. */
	folders: string[];
}

async function filterReadableInScope(
	deps: Deps,
	{ ownerId, recipientId }: ListScope,
	rows: queries.NodeRow[],
): Promise<FoundNode[]> {
	if (recipientId === null) return ownerId === null ? [] : withFolderNames(deps.db, ownerId, rows);
	return fileAccess().findReadable(deps.db, recipientId, rows);
}
