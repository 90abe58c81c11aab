import type { GroupRef } from '#contract/accounts/groups.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { Node } from '#contract/files/files.ts';
import type { SharedItem, ShareRecord, sharing } from '#contract/sharing/sharing.ts';
import type { Actor, Caller, MemberCaller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findReader, findUserById, listEmailsByUserId, type Reader } from '../../accounts/index.ts';
import * as files from '../../files/index.ts';
import { groupOf, isReadable, isSharedWith, requireNode, resolveAccess } from '../access/access.service.ts';
import { getPerson, getRecipient } from '../recipients.ts';
import { recipientIdsOf, type ShareRow } from '../shares/shares.queries.ts';
import * as queries from './share-lists.queries.ts';
import { presentShareRecord } from './share-records.ts';

type SharedListInput = InputOf<typeof sharing.listMine>;
type ShareListOptions = Pick<SharedListInput, 'type' | 'sort' | 'order'>;
const sortedByName: ShareListOptions = { type: 'all', sort: 'name', order: 'asc' };

/** Lists the nodes shared with a user, for an admin. @throws AppError RECIPIENT_UNKNOWN */
export async function listSharesOfUser(deps: Deps, input: InputOf<typeof sharing.list>) {
	const person = await getPerson(deps, input.email);
	const to = { email: person.email, reader: await findReader(deps.db, person.id) };
	const { items, nextCursor } = await listSharedWith(deps, to, { ...input, ...sortedByName });
	const owners = await findOwnerEmails(deps.db, items);
	return { person, items: items.map((item) => ({ ...item, owner: owners.get(item.node.id) ?? '' })), nextCursor };
}

async function findOwnerEmails(db: Db, items: SharedItem[]): Promise<Map<string, string>> {
	const ids = items.map(({ node }) => node.id);
	const rows = await files.findNodes(db, ids);
	const emails = await listEmailsByUserId(db, [...new Set(rows.map(({ owner_id }) => owner_id))]);
	return new Map(rows.map((row) => [row.id, emails.get(row.owner_id) ?? row.owner_id]));
}

export async function findOwnerEmail(db: Db, ownerId: string): Promise<string> {
	return (await findUserById(db, ownerId))?.email ?? ownerId;
}

interface SharedWith {
	email: string;
	reader: Reader;
}

/** Lists nodes that a user can read through shares: the outermost ones or, in a search, nodes at any depth. */
async function listSharedWith(deps: Deps, to: SharedWith, input: SharedListInput) {
	if ((input.search ?? '').trim() !== '') return searchSharedNodes(deps, to, input);
	const { rows, entries, nextCursor } = await listTopShares(deps.db, to.reader, input.cursor, input.limit, input);
	const nodes = await files.presentNodes(deps.db, rows, to.reader);
	const items = nodes.flatMap((node, i) => presentSharedItem(node, rows[i], entries.get(node.id), to.email));
	return { items, nextCursor };
}

/** Lists the nodes shared with the caller. Members do not see the names of groups. */
export async function listSharedWithCaller(deps: Deps, { actor }: MemberCaller, input: SharedListInput) {
	const to = { email: actor.email, reader: await findReader(deps.db, actor.userId) };
	const { items, nextCursor } = await listSharedWith(deps, to, input);
	return { items: items.map(({ node, share }) => ({ node, share })), nextCursor };
}

type ItemWithGroup = SharedItem & { group: GroupRef | null };

/**
 * Lists a reader's shares that are not inside another readable folder; sorted by name by default. `entries`: the
 * deciding share by the id of the node.
 */
export async function listTopShares(
	db: Db,
	reader: Reader,
	cursor: string | undefined,
	limit: number,
	options: ShareListOptions = sortedByName,
) {
	const { type, order } = options;
	const entries = new Map<string, ShareRow>();
	const { rows, nextCursor } = await files.readPage(
		{ ...options, cursor, limit },
		(range) => queries.listShares(db, { ...range, recipientIds: recipientIdsOf(reader), type, order }),
		async (found) => {
			const existing = found.filter(({ id, deleted_at }, i) => deleted_at === null && id !== found[i - 1]?.id);
			const accesses = (await resolveAccess(db, reader, existing)).filter(
				(access) => !access.isParentReadable && isReadable(access),
			);
			for (const { row, nearest } of accesses) if (nearest !== null) entries.set(row.id, nearest.entry);
			return accesses.map(({ row }) => row);
		},
	);
	return { rows, entries, nextCursor };
}

function presentSharedItem(
	node: Node,
	row: files.NodeRow | undefined,
	entry: ShareRow | undefined,
	sharedWith: string,
): ItemWithGroup[] {
	if (row === undefined || entry === undefined) return [];
	return [{ node, share: presentShareRecord(row, entry, sharedWith), group: groupOf(entry) }];
}

/** Searches the nodes that a user can read through shares; each result has the record of the deciding share. */
async function searchSharedNodes(deps: Deps, { email, reader }: SharedWith, input: SharedListInput) {
	const page = await files.searchPage(deps, { ownerId: null, path: '', reader }, input);
	const ids = page.items.map(({ id }) => id);
	const accesses = await resolveAccess(deps.db, reader, await files.findNodes(deps.db, ids));
	const found = new Map(accesses.map((access) => [access.row.id, access]));
	const items = page.items.flatMap((node) => {
		const access = found.get(node.id);
		return presentSharedItem(node, access?.row, access?.nearest?.entry, email);
	});
	return { items, nextCursor: page.nextCursor };
}

/** Lists a folder that is shared with the caller. @throws AppError NOT_FOUND, also without access */
export async function listSharedContent(deps: Deps, caller: MemberCaller, input: InputOf<typeof sharing.contentMine>) {
	const folder = await requireNode(deps.db, caller, input.id);
	const isOpen = files.canReadSpace(caller.actor, folder.owner_id);
	return files.getFolderContent(deps, isOpen ? null : await findReader(deps.db, caller.actor.userId), folder, input);
}

/** Lists the content of a folder as a recipient sees it. @throws AppError NOT_FOUND, RECIPIENT_UNKNOWN */
export async function listContentAsRecipient(deps: Deps, caller: Caller, input: InputOf<typeof sharing.content>) {
	const { reader } = await getRecipient(deps, input);
	const folder = await requireNode(deps.db, caller, input.id);
	if (!(await isSharedWith(deps.db, reader, folder))) throw new AppError('NOT_FOUND');
	return {
		owner: await findOwnerEmail(deps.db, folder.owner_id),
		...(await files.getFolderContent(deps, reader, folder, input)),
	};
}

export function listSharedNodeIds(deps: Deps, ids: string[]): Promise<string[]> {
	return queries.findSharedNodeIds(deps.db, ids);
}

const recordsPageSize = 1000;

/** Lists a user's outermost shares as share records, without `sharedBy`. */
export async function listShareRecordsFor(deps: Deps, { userId, email }: Pick<Actor, 'userId' | 'email'>) {
	const reader = await findReader(deps.db, userId);
	const records: Array<Omit<ShareRecord, 'sharedBy'>> = [];
	let cursor: string | undefined;
	do {
		const { rows, entries, nextCursor } = await listTopShares(deps.db, reader, cursor, recordsPageSize);
		for (const row of rows) {
			const entry = entries.get(row.id);
			if (entry === undefined) continue;
			const { sharedBy: _by, ...record } = presentShareRecord(row, entry, email);
			records.push(record);
		}
		cursor = nextCursor ?? undefined;
	} while (cursor !== undefined);
	return records;
}
