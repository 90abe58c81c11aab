import * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { ShareRecord, sharing } from '#contract/sharing/sharing.ts';
import { packCursor, unpackCursor } from '../../../platform/cursor.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findReaders, type Reader } from '../../accounts/index.ts';
import * as files from '../../files/index.ts';
import { decideOnNode } from '../access/access.service.ts';
import { getRecipient } from '../recipients.ts';
import { findAllShareRows, findShareRows, type ShareRow } from '../shares/shares.queries.ts';
import * as queries from './share-lists.queries.ts';

type AnyShare = Awaited<ReturnType<typeof queries.listAllShares>>[number];

/** A share with a user who reads through it. */
interface UserShare {
	share: AnyShare;
	email: string;
	emailKey: string;
}

/** Time and id of the next share, and the email key of the first of its users. */
const recordCursor = z.tuple([z.string(), z.string(), z.string()]);

/**
 * Lists a page of the share records of folders or files, the newest shares first. A share of a group has a record for
 * each member for whom it decides.
 * @throws AppError RECIPIENT_UNKNOWN
 */
export async function listShareRecords(
	deps: Deps,
	kindOrder: 0 | 1,
	input: InputOf<typeof sharing.folderDocuments>,
): Promise<{ items: ShareRecord[]; nextCursor: string | null }> {
	const { email, limit } = input;
	const recipient = email === undefined ? null : await getRecipient(deps, { email });
	const start = unpackCursor(input.cursor, recordCursor);
	let from = start && { sharedAt: start[0], entryId: start[1] };
	let fromKey = start?.[2] ?? '';
	const found: UserShare[] = [];
	do {
		const query = { kindOrder, reader: recipient?.reader ?? null, from, limit: limit + 2 };
		const rows = await queries.listAllShares(deps.db, query);
		const batch = rows.slice(0, limit + 1);
		const decisive = recipient && (await findDecisive(deps.db, recipient.reader, batch));
		for (const share of batch) {
			if (found.length > limit) break;
			if (recipient === null) found.push(...(await listUsersOf(deps.db, share, fromKey, limit + 1 - found.length)));
			else if (decisive?.has(share.entryId)) found.push({ share, email: recipient.label, emailKey: '' });
			fromKey = '';
		}
		from = rows[limit + 1] ?? null;
	} while (from !== null && found.length <= limit);
	const next = found[limit];
	const page = found.slice(0, limit).map(({ share, email: sharedWith }) => ({ ...share, sharedWith }));
	return {
		items: (await files.withFolders(deps.db, page)).map(({ row }) => presentShareRecord(row, row, row.sharedWith)),
		nextCursor: next === undefined ? null : packCursor([next.share.sharedAt, next.share.entryId, next.emailKey]),
	};
}

/** Returns the ids of the rows that decide for a reader on nodes. */
async function findDecisive(db: Db, reader: Reader, nodes: AnyShare[]): Promise<Set<string>> {
	const nodeIds = nodes.map(({ id }) => id);
	const rows = Map.groupBy(await findShareRows(db, reader, nodeIds), ({ nodeId }) => nodeId);
	return new Set([...rows.values()].flatMap((rowsOfNode) => decideOnNode(reader, rowsOfNode)?.id ?? []));
}

/** Lists the users for whom a share decides on its node, by email address. */
async function listUsersOf(db: Db, share: AnyShare, fromKey: string, limit: number): Promise<UserShare[]> {
	const { email, emailKey } = share;
	if (email !== null && emailKey !== null) return [{ share, email, emailKey }];
	const rowsOfNode = await findAllShareRows(db, [share.id]);
	const found: UserShare[] = [];
	for (let key: string | undefined = fromKey; key !== undefined && found.length < limit; ) {
		const members = await queries.listMembersFrom(db, share.recipientId, key, limit + 1);
		key = members[limit]?.emailKey;
		const memberIds = members.slice(0, limit).map(({ id }) => id);
		const readers = await findReaders(db, memberIds);
		for (const [i, reader] of readers.entries()) {
			const member = members[i];
			const isReaders = ({ recipientId: id }: ShareRow) => id === reader.id || reader.groupIds.includes(id);
			const decisive = decideOnNode(reader, rowsOfNode.filter(isReaders));
			if (member !== undefined && decisive?.id === share.entryId) found.push({ share, ...member });
		}
	}
	return found.slice(0, limit);
}

/** Presents a share as the specification's document (sections 3 and 7), whose id may not be unique. */
export function presentShareRecord(
	node: Pick<files.NodeRow, 'id' | 'kind' | 'name' | 'path' | 'real_path'>,
	{ sharedBy, sharedAt }: Pick<ShareRow, 'sharedBy' | 'sharedAt'>,
	sharedWith: string,
): ShareRecord {
	const by = { sharedWith, sharedBy, sharedAt };
	if (node.kind === 'folder') {
		const folderPath = pathBelow(node);
		return { id: shareRecordIdOf(folderPath, sharedWith), folderPath, ...by };
	}
	const filePath = node.path === '' ? node.name : `${node.path}/${node.name}`;
	return {
		id: shareRecordIdOf(filePath, sharedWith),
		filePath,
		fileName: node.name,
		fileUrl: `/api/files/${node.id}/content`,
		...by,
	};
}

function shareRecordIdOf(path: string, email: string): string {
	return `${path.replaceAll('/', '_')}_${email}`;
}
