import * as z from 'zod';
import type { FileFilter } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { letOthers } from '../../platform/turns.ts';
import { findStandings, isReadable, readableFolders, requireNode } from './files.access.ts';
import { getUse } from './files.limits.ts';
import { findBreadcrumb, findVisibleTotals, pathBelow, presentNodes, withLiveFolders } from './files.nodes.ts';
import { canReadSpace, canWriteSpace } from './files.policy.ts';
import * as queries from './files.queries.ts';
import { findSpace, requireActor } from './files.spaces.ts';
import { nameKeyOf } from './names.ts';

/** Shorter texts have no trigrams. */
const shortestIndexedText = 3;
/** More names than this are found quicker by reading the space in order than by their trigrams. */
const rareNames = 2000;
/** The same in what is shared with somebody: reading it in order meets these often enough. */
const rareShared = 5000;

/** Kind, value in the order, id: of the last row of the page before. */
export const lastRow = z.tuple([z.literal([0, 1]), z.union([z.string(), z.number()]), z.string()]);

/** How many names are looked through at once for somebody who may not read all of them. */
const sharedStep = 500;
/** A page is given out, full or not, when so many were looked through: the next goes on from there. */
const lookedMax = 5000;

export interface ListingInput extends LookInput {
	owner: string;
	path: string;
}

export interface LookInput {
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
export interface Place {
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
export async function listFolder(deps: Deps, caller: Caller, input: ListingInput) {
	const actor = requireActor(caller);
	const space = await findSpace(deps, actor, input.owner);
	if (space === undefined) throw new AppError('NOT_FOUND');
	const isOpen = canReadSpace(actor, space.id);
	const breadcrumb = isOpen
		? await findBreadcrumb(deps.db, space.id, input.path)
		: await requireSharedWay(deps, caller, space.id, input.path);
	const place = { ownerId: space.id, path: input.path, recipientId: isOpen ? null : actor.userId };
	return {
		breadcrumb,
		...(await listPlace(deps, place, input)),
		can: { write: canWriteSpace(actor) },
		use: canWriteSpace(actor) ? await getUse(deps.db, space.id) : null,
		space,
	};
}

/** The folders down to a shared one that the caller reads. @throws AppError NOT_FOUND, alike for absent and forbidden */
async function requireSharedWay(deps: Deps, caller: Caller, ownerId: string, path: string): Promise<Crumb[]> {
	const [folder] = await queries.findFoldersByRealPaths(deps.db, ownerId, path.split('/').slice(-1));
	if (folder === undefined || pathBelow(folder) !== path) throw new AppError('NOT_FOUND');
	return findSharedWay(deps, requireActor(caller).userId, await requireNode(deps.db, caller, folder.id));
}

interface Crumb {
	id: string;
	name: string;
	path: string;
}

/** From the outermost folder that this person reads down to a folder that they read; null: who reads the whole space. */
export async function findSharedWay(deps: Deps, recipientId: string | null, folder: queries.NodeRow): Promise<Crumb[]> {
	if (recipientId === null) return findBreadcrumb(deps.db, folder.owner_id, pathBelow(folder));
	const above = await readableFolders(deps.db, recipientId, folder);
	return [...above, folder].map((each) => ({ id: each.id, name: each.name, path: pathBelow(each) }));
}

/** What lies there, with the totals of the whole folder. */
export async function listPlace(deps: Deps, place: Place & { ownerId: string }, input: LookInput) {
	const page = await (searchKeyOf(input) === '' ? listPage(deps, place, input) : searchPage(deps, place, input));
	const [totals] = await findVisibleTotals(deps.db, place, [place.path]);
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
	if ([...searchKey].length < shortestIndexedText) return false;
	return (await queries.countNamesWith(db, searchKey, rareNames)) < rareNames;
}

async function listPage(deps: Deps, place: Place & { ownerId: string }, input: LookInput): Promise<Page> {
	const after = unpackCursor(input.cursor, lastRow);
	const until = unpackCursor(input.until, lastRow);
	const group = input.type === 'all' ? '' : input.type;
	const rows: queries.NodeRow[] = [];
	for (const kindOrder of kindsOf(input)) {
		const missing = input.limit + 1 - rows.length;
		if (missing === 0 || (after !== null && after[0] > kindOrder)) continue;
		if (until !== null && until[0] < kindOrder) continue;
		const sort = sortOfKind(kindOrder, input.sort);
		rows.push(
			...(await queries.listNodes(deps.db, {
				...place,
				kindOrder,
				group,
				sort,
				order: input.order,
				after: after?.[0] === kindOrder ? { value: after[1], id: after[2] } : null,
				until: until?.[0] === kindOrder ? { value: until[1], id: until[2] } : null,
				limit: missing,
			})),
		);
	}
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	return {
		items: await presentNodes(
			deps.db,
			page.map((row) => ({ row, folders: null })),
			place.recipientId,
		),
		nextCursor: rows.length > page.length && last ? cursorOf(last, input.sort) : null,
	};
}

/** What folders, or files, stand by in an order: folders have no size. */
export function sortOfKind(kindOrder: number, sort: queries.SortColumn): queries.SortColumn {
	return kindOrder === 0 && sort === 'size' ? 'name' : sort;
}

/** Leads on behind a row, in the order that it was listed in. */
export function cursorOf(row: queries.NodeRow, sort: queries.SortColumn): string {
	return packCursor([row.kind_order, queries.sortValueOf(row, sortOfKind(row.kind_order, sort)), row.id]);
}

/** Folders before files; a type filter shows files alone. */
export function kindsOf(input: Pick<LookInput, 'type' | 'kind'>): ReadonlyArray<0 | 1> {
	if (input.type !== 'all' || input.kind === 'file') return input.kind === 'folder' ? [] : [1];
	return input.kind === 'folder' ? [0] : [0, 1];
}

/** By name, below the folder; for somebody who reads by shares, what they may read of it. */
export async function searchPage(deps: Deps, place: Place, input: LookInput): Promise<Page> {
	const searchKey = searchKeyOf(input);
	const start = openPlace(deps, place, input.cursor);
	const end = openPlace(deps, place, input.until);
	const isRare = await isRareSearch(deps.db, searchKey);
	const isRareInShares =
		!isRare &&
		place.recipientId !== null &&
		(await queries.countSharedWith(deps.db, place.recipientId, searchKey, rareShared)) < rareShared;
	const step = place.recipientId === null ? input.limit + 1 : Math.max(input.limit + 1, sharedStep);
	let after: queries.SearchPlace | null = start && { kindOrder: start[0], sortKey: String(start[1]), id: start[2] };
	let looked = 0;
	const found: Found[] = [];
	let isMore = true;
	while (isMore && found.length <= input.limit && looked < lookedMax) {
		const rows = await queries.searchNodes(deps.db, {
			ownerId: place.ownerId,
			// Somebody whose space it is searches all of it, wherever they stand.
			below: place.recipientId === null || place.path === '' ? null : place.path,
			recipientId: place.recipientId,
			searchKey,
			group: input.type === 'all' ? '' : input.type,
			kindOrder: input.kind === undefined ? null : input.kind === 'folder' ? 0 : 1,
			after,
			until: end && { kindOrder: end[0], sortKey: String(end[1]), id: end[2] },
			limit: step,
			isRare,
			isRareInShares,
		});
		await letOthers();
		found.push(...(await keepReadable(deps, place, rows)));
		looked += rows.length;
		const last = rows.at(-1);
		isMore = rows.length === step;
		if (last !== undefined) after = { kindOrder: last.kind_order, sortKey: last.sort_key, id: last.id };
	}
	const page = found.slice(0, input.limit);
	const last = page.at(-1)?.row;
	const lastShown = last && { kindOrder: last.kind_order, sortKey: last.sort_key, id: last.id };
	const goOnAfter = found.length > page.length ? lastShown : isMore ? after : null;
	return {
		items: await presentNodes(deps.db, page, place.recipientId),
		nextCursor: goOnAfter ? sealPlace(deps, place, [goOnAfter.kindOrder, goOnAfter.sortKey, goOnAfter.id]) : null,
	};
}

const cursorContext = 'files.search-cursor';

/** What was looked at last may be something that this person does not read: its name must not stand in the cursor. */
function sealPlace(deps: Deps, { recipientId }: Place, last: [number, string, string]): string {
	return recipientId === null ? packCursor(last) : deps.secrets.seal(cursorContext, JSON.stringify(last));
}

/** @throws AppError INVALID_INPUT for a cursor that we did not make */
function openPlace(deps: Deps, { recipientId }: Place, cursor: string | undefined) {
	if (recipientId === null || cursor === undefined || cursor === '') return unpackCursor(cursor, lastRow);
	try {
		return lastRow.parse(JSON.parse(deps.secrets.unseal(cursorContext, cursor)));
	} catch (error) {
		throw new AppError('INVALID_INPUT', { fields: { cursor: 'error_invalid_input' }, cause: error });
	}
}

interface Found {
	row: queries.NodeRow;
	/** Names of the folders it stands in, as far as the person may know them. */
	folders: string[];
}

async function keepReadable(deps: Deps, { ownerId, recipientId }: Place, rows: queries.NodeRow[]): Promise<Found[]> {
	if (recipientId === null) return ownerId === null ? [] : withLiveFolders(deps.db, ownerId, rows);
	const standings = (await findStandings(deps.db, recipientId, rows)).filter(isReadable);
	return standings.map(({ row, folders, nearest }) => {
		const from = folders.findIndex(({ id }) => id === nearest?.on.id);
		return { row, folders: from < 0 ? [] : folders.slice(from).map(({ name }) => name) };
	});
}
