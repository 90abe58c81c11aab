import { lockRows } from '../../db/row-lock.ts';
import type { Db } from '../../db/schema.ts';
import { typeColumns } from '../files/files.service.ts';

export type ShareRow = Awaited<ReturnType<typeof listShares>>[number];

/** Last row of the page before, in the order of lists. */
export interface SharePlace {
	kindOrder: number;
	sortKey: string;
	nodeId: string;
}

function nodesOfShares(db: Db) {
	return db
		.selectFrom('grants')
		.innerJoin('nodes', 'nodes.id', 'grants.node_id')
		.innerJoin('users', 'users.id', 'grants.recipient_id')
		.leftJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.leftJoin('thumbnails', 'thumbnails.blob_id', 'nodes.blob_id')
		.selectAll('nodes')
		.select([
			...typeColumns,
			'grants.id as entryId',
			'grants.granted_by as sharedBy',
			'grants.created_at as sharedAt',
			'users.email as sharedWith',
		])
		.where('nodes.deleted_at', 'is', null)
		.where('grants.kind', '=', 'share');
}

/** A page of a person's own entries, folders first, by name; those inside other shares among them. */
export function listShares(db: Db, recipientId: string, after: SharePlace | null, limit: number) {
	let page = nodesOfShares(db)
		.where('grants.recipient_id', '=', recipientId)
		.orderBy('grants.kind_order')
		.orderBy('grants.sort_key')
		.orderBy('grants.node_id')
		.limit(limit);
	if (after !== null) {
		page = page.where((where) =>
			where(
				where.refTuple('grants.kind_order', 'grants.sort_key', 'grants.node_id'),
				'>',
				where.tuple(after.kindOrder, after.sortKey, after.nodeId),
			),
		);
	}
	return page.execute();
}

/** A page of everybody's shares of one kind, newest first. */
export function listShareEntries(
	db: Db,
	query: {
		kindOrder: 0 | 1;
		recipientId: string | null;
		after: { sharedAt: string; entryId: string } | null;
		limit: number;
	},
) {
	let page = nodesOfShares(db)
		.where('grants.kind_order', '=', query.kindOrder)
		.orderBy('grants.created_at', 'desc')
		.orderBy('grants.id', 'desc')
		.limit(query.limit);
	if (query.recipientId !== null) page = page.where('grants.recipient_id', '=', query.recipientId);
	const { after } = query;
	if (after !== null) {
		page = page.where((where) =>
			where(where.refTuple('grants.created_at', 'grants.id'), '<', where.tuple(after.sharedAt, after.entryId)),
		);
	}
	return page.execute();
}

/** Whom a share is for: active, and staying until the transaction ends. */
export function lockRecipient(tx: Db, id: string) {
	return lockRows(tx, tx.selectFrom('users').select(['id', 'active']).where('id', '=', id), 'share').executeTakeFirst();
}

/** A page of the people who have an entry on one of these nodes, by address. */
export function listPeopleWithEntries(db: Db, nodeIds: string[], afterKey: string | null, limit: number) {
	let page = db
		.selectFrom('users')
		.select(['id', 'email', 'email_key as emailKey', 'name', 'active'])
		.where('id', 'in', (eb) => eb.selectFrom('grants').select('recipient_id').where('node_id', 'in', nodeIds))
		.orderBy('email_key')
		.limit(limit);
	if (afterKey !== null) page = page.where('email_key', '>', afterKey);
	return page.execute();
}

/** Who of these people has an entry in a space. */
export async function findReadersOf(db: Db, ownerId: string, userIds: string[]): Promise<string[]> {
	const rows = await db
		.selectFrom('grants')
		.select('recipient_id as id')
		.distinct()
		.where('owner_id', '=', ownerId)
		.where('recipient_id', 'in', userIds)
		.execute();
	return rows.map(({ id }) => id);
}
