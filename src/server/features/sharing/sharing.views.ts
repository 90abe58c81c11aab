import * as z from 'zod';
import type { Reader, SharedDocument, SharedItem } from '#contract/sharing/sharing.ts';
import type { Db } from '../../db/schema.ts';
import type { Caller, MemberCaller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { findUserById } from '../account/account.service.ts';
import * as files from '../files/files.service.ts';
import { documentOf } from './sharing.documents.ts';
import * as queries from './sharing.queries.ts';
import { requireRecipient } from './sharing.recipient.ts';

const documentPlace = z.tuple([z.string(), z.string()]);

interface PageInput {
	search?: string | undefined;
	cursor?: string | undefined;
	limit: number;
}
type SharedInput = PageInput & ShareLook;

/** In which order the shares stand, and which. */
type ShareLook = Pick<files.LookInput, 'type' | 'sort' | 'order'>;
const byName: ShareLook = { type: 'all', sort: 'name', order: 'asc' };

/** What is shared with the caller. */
export function listShared(deps: Deps, caller: MemberCaller, input: SharedInput) {
	return listSharedWith(deps, caller.actor.userId, input);
}

/** What is shared with a person, as an admin looks at it. @throws AppError RECIPIENT_UNKNOWN */
export async function listSharesOf(deps: Deps, input: PageInput & { email: string }) {
	const person = await requireRecipient(deps, input.email);
	const { items, nextCursor } = await listSharedWith(deps, person.id, { ...input, ...byName });
	const owners = await ownersOf(
		deps.db,
		items.map(({ node }) => node.id),
	);
	return { person, items: items.map((item) => ({ ...item, owner: owners.get(item.node.id) ?? '' })), nextCursor };
}

/** In whose storage each lies: the owner's address. */
async function ownersOf(db: Db, ids: string[]): Promise<Map<string, string>> {
	const rows = await files.findNodes(db, ids);
	const emails = new Map<string, string>();
	for (const id of new Set(rows.map(({ owner_id }) => owner_id))) emails.set(id, await ownerOf(db, id));
	return new Map(rows.map((row) => [row.id, emails.get(row.owner_id) ?? row.owner_id]));
}

async function ownerOf(db: Db, ownerId: string): Promise<string> {
	return (await findUserById(db, ownerId))?.email ?? ownerId;
}

/**
 * One page of what a person reads by shares: what shows in no other shared folder; with a search whatever has the text in
 * its name, at any depth.
 */
async function listSharedWith(deps: Deps, recipientId: string, input: SharedInput) {
	return (input.search ?? '').trim() === ''
		? listTop(deps, recipientId, input)
		: searchShared(deps, recipientId, input);
}

async function listTop(deps: Deps, recipientId: string, input: SharedInput) {
	const { rows, nextCursor } = await findTopShares(deps.db, recipientId, input.cursor, input.limit, input);
	return { items: await presentShares(deps.db, recipientId, rows), nextCursor };
}

/** Shares that show by themselves: not deleted, and not inside another folder that the person reads. By name unless asked otherwise. */
export async function findTopShares(
	db: Db,
	recipientId: string,
	cursor: string | undefined,
	limit: number,
	look: ShareLook = byName,
): Promise<{ rows: queries.ShareRow[]; nextCursor: string | null }> {
	const start = unpackCursor(cursor, files.lastRow);
	const found: queries.ShareRow[] = [];
	for (const kindOrder of files.kindsOf(look)) {
		if (start !== null && start[0] > kindOrder) continue;
		const sort = files.sortOfKind(kindOrder, look.sort);
		let after = start?.[0] === kindOrder ? { value: start[1], nodeId: start[2] } : null;
		for (let isMore = true; isMore && found.length <= limit; ) {
			const query = { recipientId, kindOrder, type: look.type, sort, order: look.order, after, limit: limit + 1 };
			const rows = await queries.listShares(db, query);
			const standings = await files.findStandings(db, recipientId, rows);
			found.push(...standings.filter((each) => !each.isParentReadable && files.isReadable(each)).map(({ row }) => row));
			const last = rows.at(-1);
			isMore = rows.length > limit;
			if (last !== undefined) after = { value: files.sortValueOf(last, sort), nodeId: last.id };
		}
	}
	const rows = found.slice(0, limit);
	const last = rows.at(-1);
	return { rows, nextCursor: found.length > limit && last ? files.cursorOf(last, look.sort) : null };
}

async function presentShares(db: Db, recipientId: string, rows: queries.ShareRow[]): Promise<SharedItem[]> {
	const nodes = await files.presentNodes(
		db,
		rows.map((row) => ({ row, folders: null })),
		recipientId,
	);
	return nodes.flatMap((node, i) => {
		const row = rows[i];
		return row === undefined ? [] : [{ node, share: documentOf(row) }];
	});
}

/** What is found carries the document of the share by which it is read. */
async function searchShared(deps: Deps, recipientId: string, input: SharedInput) {
	const page = await files.searchPage(deps, { ownerId: null, path: '', recipientId }, input);
	const rows = await files.findNodes(
		deps.db,
		page.items.map(({ id }) => id),
	);
	const standings = await files.findStandings(deps.db, recipientId, rows);
	const sharedWith = (await findUserById(deps.db, recipientId))?.email ?? '';
	const documents = new Map<string, SharedDocument>();
	for (const { row, nearest } of standings)
		if (nearest !== null) documents.set(row.id, documentOf({ ...row, ...nearest.entry, kind: row.kind, sharedWith }));
	const items = page.items.flatMap((node) => {
		const share = documents.get(node.id);
		return share === undefined ? [] : [{ node, share }];
	});
	return { items, nextCursor: page.nextCursor };
}

type ContentInput = files.LookInput & { id: string };

/** A folder that is shared with the caller, from inside. @throws AppError NOT_FOUND, alike for absent and forbidden */
export async function listSharedContent(deps: Deps, caller: MemberCaller, input: ContentInput) {
	const folder = await files.requireNode(deps.db, caller, input.id);
	if (files.canReadSpace(caller.actor, folder.owner_id)) return listContent(deps, null, folder, input);
	return listContent(deps, caller.actor.userId, folder, input);
}

/** The same as that person sees it. @throws AppError NOT_FOUND, RECIPIENT_UNKNOWN */
export async function listContentOf(deps: Deps, caller: Caller, input: ContentInput & { email: string }) {
	const person = await requireRecipient(deps, input.email);
	const folder = await files.requireNode(deps.db, caller, input.id);
	const [standing] = await files.findStandings(deps.db, person.id, [folder]);
	if (standing === undefined || !files.isReadable(standing)) throw new AppError('NOT_FOUND');
	return {
		owner: await ownerOf(deps.db, folder.owner_id),
		...(await listContent(deps, person.id, folder, input)),
	};
}

/** `recipientId` null: somebody to whom the whole space is open. */
async function listContent(deps: Deps, recipientId: string | null, folder: files.NodeRow, input: ContentInput) {
	if (folder.kind !== 'folder') throw new AppError('NOT_FOUND');
	const place = { ownerId: folder.owner_id, path: files.pathBelow(folder), recipientId };
	const [node] = await files.presentNodes(deps.db, [{ row: folder, folders: null }], recipientId);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return {
		folder: node,
		breadcrumb: await files.findSharedWay(deps, recipientId, folder),
		...(await files.listPlace(deps, place, input)),
	};
}

/** Which of these nodes are shared with anybody, by entries of their own. */
export function listMarked(deps: Deps, ids: string[]): Promise<string[]> {
	return queries.findShared(deps.db, ids);
}

/** Who can read a node, and who was taken out, each with the entry that decides; by address. @throws AppError NOT_FOUND */
export async function listReaders(
	deps: Deps,
	caller: Caller,
	input: { id: string; cursor?: string | undefined; limit: number },
) {
	const node = await files.requireNode(deps.db, caller, input.id);
	const [placed] = await files.withFolders(deps.db, node.owner_id, [node]);
	const chain = [...(placed?.folders ?? []).map(({ id }) => id), node.id];
	const after = unpackCursor(input.cursor, z.tuple([z.string()]));
	const people = await queries.listPeopleWithEntries(deps.db, chain, after?.[0] ?? null, input.limit + 1);
	const page = people.slice(0, input.limit);
	const last = page.at(-1);
	const items: Reader[] = [];
	for (const person of page) {
		const [standing] = await files.findStandings(deps.db, person.id, [node]);
		if (standing?.nearest == null) continue;
		const { entry, on } = standing.nearest;
		items.push({
			id: person.id,
			email: person.email,
			name: person.name,
			active: person.active === 1,
			canRead: files.isReadable(standing),
			from: { ...on, isItself: on.id === node.id },
			sharedBy: entry.sharedBy,
			sharedAt: entry.sharedAt,
		});
	}
	return {
		owner: await ownerOf(deps.db, node.owner_id),
		items,
		nextCursor: people.length > page.length && last ? packCursor([last.emailKey]) : null,
	};
}

/** One page of the specification's documents, of folders or of files. @throws AppError RECIPIENT_UNKNOWN */
export async function listDocuments(
	deps: Deps,
	kindOrder: 0 | 1,
	input: { email?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<{ items: SharedDocument[]; nextCursor: string | null }> {
	const after = unpackCursor(input.cursor, documentPlace);
	const rows = await queries.listShareEntries(deps.db, {
		kindOrder,
		recipientId: input.email === undefined ? null : (await requireRecipient(deps, input.email)).id,
		after: after && { sharedAt: after[0], entryId: after[1] },
		limit: input.limit + 1,
	});
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	const live = new Set((await files.findLiveRows(deps.db, page)).map(({ id }) => id));
	return {
		items: page.filter(({ id }) => live.has(id)).map(documentOf),
		nextCursor: rows.length > page.length && last ? packCursor([last.sharedAt, last.entryId]) : null,
	};
}

const documentsAtOnce = 1000;

/** Everything that is shared with a person, as the specification's documents, without who shared it. */
export async function listDocumentsFor(deps: Deps, recipientId: string) {
	const documents: Array<Omit<SharedDocument, 'sharedBy'>> = [];
	let cursor: string | undefined;
	do {
		const { rows, nextCursor } = await findTopShares(deps.db, recipientId, cursor, documentsAtOnce);
		for (const { sharedBy: _by, ...document } of rows.map(documentOf)) documents.push(document);
		cursor = nextCursor ?? undefined;
	} while (cursor !== undefined);
	return documents;
}
