import * as z from 'zod';
import type { FileFilter } from '#contract/files/file-types.ts';
import type { Node } from '#contract/files/files.ts';
import type { Caller } from '../../platform/actor.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { findBreadcrumb, presentNodes, withLiveFolders } from './files.nodes.ts';
import { canWriteSpace } from './files.policy.ts';
import * as queries from './files.queries.ts';
import { requireActor, requireSpace } from './files.spaces.ts';
import { nameKeyOf } from './names.ts';
import { findFolderTotals } from './totals.queries.ts';

/** Shorter texts have no trigrams. */
const shortestIndexedText = 3;
/** More names than this are found quicker by reading the space in order than by their trigrams. */
const rareNames = 2000;

/** Kind, value in the order, id: of the last row of the page before. */
const place = z.tuple([z.literal([0, 1]), z.union([z.string(), z.number()]), z.string()]);

export interface ListingInput {
	owner: string;
	path: string;
	search?: string | undefined;
	type: FileFilter;
	sort: queries.SortColumn;
	order: 'asc' | 'desc';
	kind?: 'folder' | 'file' | undefined;
	cursor?: string | undefined;
	limit: number;
}

interface Page {
	items: Node[];
	nextCursor: string | null;
}

/** One page of a folder, or of what a search finds in the space, with breadcrumb and totals. @throws AppError NOT_FOUND, FOLDER_GONE */
export async function listFolder(deps: Deps, caller: Caller, input: ListingInput) {
	const space = await requireSpace(deps, caller, input.owner);
	const breadcrumb = await findBreadcrumb(deps.db, space.id, input.path);
	const searchKey = nameKeyOf((input.search ?? '').trim());
	const page =
		searchKey === '' ? await listPage(deps, space.id, input) : await searchPage(deps, space.id, searchKey, input);
	const [totals] = await findFolderTotals(deps.db, space.id, [input.path]);
	return {
		breadcrumb,
		...page,
		totals: { folders: totals?.folders ?? 0, files: totals?.files ?? 0, size: totals?.sizeBytes ?? 0 },
		can: { write: canWriteSpace(requireActor(caller)) },
		space,
	};
}

async function listPage(deps: Deps, ownerId: string, input: ListingInput): Promise<Page> {
	const after = unpackCursor(input.cursor, place);
	const group = input.type === 'all' ? '' : input.type;
	const rows: queries.NodeRow[] = [];
	for (const kindOrder of kindsOf(input)) {
		const missing = input.limit + 1 - rows.length;
		if (missing === 0 || (after !== null && after[0] > kindOrder)) continue;
		const sort = kindOrder === 0 && input.sort === 'size' ? 'name' : input.sort;
		const isWithin = after !== null && after[0] === kindOrder;
		rows.push(
			...(await queries.listNodes(deps.db, {
				ownerId,
				path: input.path,
				kindOrder,
				group,
				sort,
				order: input.order,
				after: isWithin ? { value: after[1], id: after[2] } : null,
				limit: missing,
			})),
		);
	}
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	const lastSort = last?.kind === 'folder' && input.sort === 'size' ? 'name' : input.sort;
	return {
		items: await presentNodes(
			deps.db,
			page.map((row) => ({ row, folders: null })),
		),
		nextCursor:
			rows.length > page.length && last
				? packCursor([last.kind_order, queries.sortValueOf(last, lastSort), last.id])
				: null,
	};
}

/** Folders before files; a type filter shows files alone. */
function kindsOf(input: ListingInput): ReadonlyArray<0 | 1> {
	if (input.type !== 'all' || input.kind === 'file') return input.kind === 'folder' ? [] : [1];
	return input.kind === 'folder' ? [0] : [0, 1];
}

async function searchPage(deps: Deps, ownerId: string, searchKey: string, input: ListingInput): Promise<Page> {
	const start = unpackCursor(input.cursor, place);
	const isRare =
		[...searchKey].length >= shortestIndexedText &&
		(await queries.countNamesWith(deps.db, searchKey, rareNames)) < rareNames;
	let after = start && { kindOrder: start[0] as number, sortKey: String(start[1]), id: start[2] };
	const found: Array<{ row: queries.NodeRow; folders: string[] }> = [];
	for (let isMore = true; isMore && found.length <= input.limit; ) {
		const rows = await queries.searchNodes(deps.db, {
			ownerId,
			searchKey,
			group: input.type === 'all' ? '' : input.type,
			kindOrder: input.kind === undefined ? null : input.kind === 'folder' ? 0 : 1,
			after,
			limit: input.limit + 1,
			isRare,
		});
		found.push(...(await withLiveFolders(deps.db, ownerId, rows)));
		const last = rows.at(-1);
		isMore = rows.length > input.limit && last !== undefined;
		if (last !== undefined) after = { kindOrder: last.kind_order, sortKey: last.sort_key, id: last.id };
	}
	const page = found.slice(0, input.limit);
	const last = page.at(-1)?.row;
	return {
		items: await presentNodes(deps.db, page),
		nextCursor: found.length > page.length && last ? packCursor([last.kind_order, last.sort_key, last.id]) : null,
	};
}
