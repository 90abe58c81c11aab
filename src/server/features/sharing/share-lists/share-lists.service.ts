import * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { SharedItem, ShareRecipient, ShareRecord, sharing } from '#contract/sharing/sharing.ts';
import type { Caller, MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findUserById } from '../../accounts/index.ts';
import * as files from '../../files/index.ts';
import { isReadable, isSharedWith, requireNode, resolveAccess } from '../access/access.service.ts';
import { getRecipient } from '../recipients.ts';
import type { SharedNodeRow } from './share-lists.queries.ts';
import * as queries from './share-lists.queries.ts';

const recordCursor = z.tuple([z.string(), z.string()]);

type SharedListInput = InputOf<typeof sharing.listMine>;
type ShareListOptions = Pick<SharedListInput, 'type' | 'sort' | 'order'>;
const sortedByName: ShareListOptions = { type: 'all', sort: 'name', order: 'asc' };

/** Lists the nodes shared with a user, for an admin. @throws AppError RECIPIENT_UNKNOWN */
export async function listSharesOfUser(deps: Deps, input: InputOf<typeof sharing.list>) {
	const person = await getRecipient(deps, input.email);
	const { items, nextCursor } = await listSharedWith(deps, person.id, { ...input, ...sortedByName });
	const owners = await findOwnerEmails(deps.db, items);
	return { person, items: items.map((item) => ({ ...item, owner: owners.get(item.node.id) ?? '' })), nextCursor };
}

async function findOwnerEmails(db: Db, items: SharedItem[]): Promise<Map<string, string>> {
	const ids = items.map(({ node }) => node.id);
	const rows = await files.findNodes(db, ids);
	const emails = new Map<string, string>();
	for (const id of new Set(rows.map(({ owner_id }) => owner_id))) emails.set(id, await findOwnerEmail(db, id));
	return new Map(rows.map((row) => [row.id, emails.get(row.owner_id) ?? row.owner_id]));
}

async function findOwnerEmail(db: Db, ownerId: string): Promise<string> {
	return (await findUserById(db, ownerId))?.email ?? ownerId;
}

/** Lists nodes that a user can read through shares: the outermost ones or, in a search, nodes at any depth. */
export async function listSharedWith(deps: Deps, recipientId: string, input: SharedListInput) {
	if ((input.search ?? '').trim() !== '') return searchSharedNodes(deps, recipientId, input);
	const { rows, nextCursor } = await listTopShares(deps.db, recipientId, input.cursor, input.limit, input);
	return { items: await presentShares(deps.db, recipientId, rows), nextCursor };
}

/** Lists a recipient's shares that are not inside another readable folder; sorted by name by default. */
export async function listTopShares(
	db: Db,
	recipientId: string,
	cursor: string | undefined,
	limit: number,
	options: ShareListOptions = sortedByName,
): Promise<{ rows: queries.SharedNodeRow[]; nextCursor: string | null }> {
	const { type, order } = options;
	return files.readPage(
		{ ...options, cursor, limit },
		(range) => queries.listShares(db, { ...range, recipientId, type, order }),
		async (rows) => {
			const accesses = await resolveAccess(db, recipientId, rows);
			return accesses.filter((access) => !access.isParentReadable && isReadable(access)).map(({ row }) => row);
		},
	);
}

async function presentShares(db: Db, recipientId: string, rows: queries.SharedNodeRow[]): Promise<SharedItem[]> {
	const nodes = await files.presentNodes(db, rows, recipientId);
	return nodes.flatMap((node, i) => {
		const row = rows[i];
		return row === undefined ? [] : [{ node, share: presentShareRecord(row) }];
	});
}

/** Searches the nodes that a user can read through shares; each result has the record of the deciding share. */
async function searchSharedNodes(deps: Deps, recipientId: string, input: SharedListInput) {
	const page = await files.searchPage(deps, { ownerId: null, path: '', recipientId }, input);
	const ids = page.items.map(({ id }) => id);
	const rows = await files.findNodes(deps.db, ids);
	const accesses = await resolveAccess(deps.db, recipientId, rows);
	const sharedWith = (await findUserById(deps.db, recipientId))?.email ?? '';
	const records = new Map<string, ShareRecord>();
	for (const { row, nearest } of accesses)
		if (nearest !== null)
			records.set(row.id, presentShareRecord({ ...row, ...nearest.entry, kind: row.kind, sharedWith }));
	const items = page.items.flatMap((node) => {
		const share = records.get(node.id);
		return share === undefined ? [] : [{ node, share }];
	});
	return { items, nextCursor: page.nextCursor };
}

/** Lists a folder that is shared with the caller. @throws AppError NOT_FOUND, also without access */
export async function listSharedContent(deps: Deps, caller: MemberCaller, input: InputOf<typeof sharing.contentMine>) {
	const folder = await requireNode(deps.db, caller, input.id);
	const recipientId = files.canReadSpace(caller.actor, folder.owner_id) ? null : caller.actor.userId;
	return files.getFolderContent(deps, recipientId, folder, input);
}

/** Lists the content of a folder as a recipient sees it. @throws AppError NOT_FOUND, RECIPIENT_UNKNOWN */
export async function listContentAsRecipient(deps: Deps, caller: Caller, input: InputOf<typeof sharing.content>) {
	const recipient = await getRecipient(deps, input.email);
	const folder = await requireNode(deps.db, caller, input.id);
	if (!(await isSharedWith(deps.db, recipient.id, folder))) throw new AppError('NOT_FOUND');
	return {
		owner: await findOwnerEmail(deps.db, folder.owner_id),
		...(await files.getFolderContent(deps, recipient.id, folder, input)),
	};
}

export function listSharedNodeIds(deps: Deps, ids: string[]): Promise<string[]> {
	return queries.findSharedNodeIds(deps.db, ids);
}

/**
 * Lists the users with a share or exclusion that decides their access to a node, sorted by email address.
 * @throws AppError NOT_FOUND
 */
export async function listRecipients(deps: Deps, caller: Caller, input: InputOf<typeof sharing.readers>) {
	const node = await requireNode(deps.db, caller, input.id);
	const [located] = await files.withFolders(deps.db, [node]);
	const chain = [...(located?.folders ?? []).map(({ id }) => id), node.id];
	const after = unpackCursor(input.cursor, z.tuple([z.string()]));
	const recipients = await queries.listRecipientsOfNodes(deps.db, chain, after?.[0] ?? null, input.limit + 1);
	const { page, nextCursor } = toPage(recipients, input.limit, (last) => [last.emailKey]);
	const items: ShareRecipient[] = [];
	for (const person of page) {
		const [access] = await resolveAccess(deps.db, person.id, [node]);
		if (access?.nearest == null) continue;
		const { entry, on } = access.nearest;
		items.push({
			id: person.id,
			email: person.email,
			name: person.name,
			active: person.active === 1,
			canRead: isReadable(access),
			from: { ...on, isItself: on.id === node.id },
			sharedBy: entry.sharedBy,
			sharedAt: entry.sharedAt,
		});
	}
	return { owner: await findOwnerEmail(deps.db, node.owner_id), items, nextCursor };
}

/** Lists a page of the share records of folders or files. @throws AppError RECIPIENT_UNKNOWN */
export async function listShareRecords(
	deps: Deps,
	kindOrder: 0 | 1,
	input: InputOf<typeof sharing.folderDocuments>,
): Promise<{ items: ShareRecord[]; nextCursor: string | null }> {
	const after = unpackCursor(input.cursor, recordCursor);
	const rows = await queries.listAllShares(deps.db, {
		kindOrder,
		recipientId: input.email === undefined ? null : (await getRecipient(deps, input.email)).id,
		after: after && { sharedAt: after[0], entryId: after[1] },
		limit: input.limit + 1,
	});
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.sharedAt, last.entryId]);
	return { items: (await files.withFolders(deps.db, page)).map(({ row }) => presentShareRecord(row)), nextCursor };
}

const recordsPageSize = 1000;

/** Lists a user's outermost shares as share records, without `sharedBy`. */
export async function listShareRecordsFor(deps: Deps, recipientId: string) {
	const records: Array<Omit<ShareRecord, 'sharedBy'>> = [];
	let cursor: string | undefined;
	do {
		const { rows, nextCursor } = await listTopShares(deps.db, recipientId, cursor, recordsPageSize);
		for (const { sharedBy: _by, ...record } of rows.map(presentShareRecord)) records.push(record);
		cursor = nextCursor ?? undefined;
	} while (cursor !== undefined);
	return records;
}

/** Presents a share as the specification's document (sections 3 and 7), whose id may not be unique. */
export function presentShareRecord(row: Omit<SharedNodeRow, 'entryId'>): ShareRecord {
	const by = { sharedWith: row.sharedWith, sharedBy: row.sharedBy, sharedAt: row.sharedAt };
	if (row.kind === 'folder') {
		const folderPath = pathBelow(row);
		return { id: shareRecordIdOf(folderPath, row.sharedWith), folderPath, ...by };
	}
	const filePath = row.path === '' ? row.name : `${row.path}/${row.name}`;
	return {
		id: shareRecordIdOf(filePath, row.sharedWith),
		filePath,
		fileName: row.name,
		fileUrl: `/api/files/${row.id}/content`,
		...by,
	};
}

function shareRecordIdOf(path: string, email: string): string {
	return `${path.replaceAll('/', '_')}_${email}`;
}
