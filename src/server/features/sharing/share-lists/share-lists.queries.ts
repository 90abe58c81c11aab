import type { FileFilter } from '#contract/files/file-types.ts';
import { isBeyond } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

export type SharedNodeRow = Awaited<ReturnType<typeof listShares>>[number];

/** Columns to sort shares by. A share has a copy of its node's sort key, so that an index has this order. */
const sortColumns = { name: 'shares.sort_key', size: 'nodes.size_bytes', date: 'nodes.created_at' } as const;

export interface ShareListQuery {
	recipientId: string;
	kindOrder: 0 | 1;
	type: FileFilter;
	sort: keyof typeof sortColumns;
	order: 'asc' | 'desc';
	after: { value: string | number; id: string } | null;
	limit: number;
}

function sharedNodes(db: Db) {
	return db
		.selectFrom('shares')
		.innerJoin('nodes', 'nodes.id', 'shares.node_id')
		.innerJoin('users', 'users.id', 'shares.recipient_id')
		.leftJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.leftJoin('thumbnails', 'thumbnails.blob_id', 'nodes.blob_id')
		.selectAll('nodes')
		.select([
			'blobs.content_type as contentType',
			'thumbnails.thumb_blob_id as thumbBlobId',
			'thumbnails.made_at as thumbMadeAt',
			'shares.id as entryId',
			'shares.shared_by as sharedBy',
			'shares.created_at as sharedAt',
			'users.email as sharedWith',
		])
		.where('nodes.deleted_at', 'is', null)
		.where('shares.kind', '=', 'share');
}

/** Lists one page of a recipient's shares, including shares of nodes inside other shared folders. */
export function listShares(db: Db, query: ShareListQuery) {
	const column = sortColumns[query.sort];
	const operator = query.order === 'asc' ? '>' : '<';
	let page = sharedNodes(db)
		.where('shares.recipient_id', '=', query.recipientId)
		.where('shares.kind_order', '=', query.kindOrder)
		.where(isBeyond([column, 'shares.node_id'], operator, query.after && [query.after.value, query.after.id]))
		.orderBy(column, query.order)
		.orderBy('shares.node_id', query.order)
		.limit(query.limit);
	if (query.type !== 'all') page = page.where('nodes.filter_group', '=', query.type);
	return page.execute();
}

export async function findSharedNodeIds(db: Db, nodeIds: string[]): Promise<string[]> {
	const rows = await db
		.selectFrom('shares')
		.select('node_id as id')
		.distinct()
		.where('node_id', 'in', nodeIds)
		.where('kind', '=', 'share')
		.execute();
	return rows.map(({ id }) => id);
}

/** Lists one page of the shares of folders or of files (`kindOrder`), newest first. */
export function listAllShares(
	db: Db,
	query: {
		kindOrder: 0 | 1;
		recipientId: string | null;
		after: { sharedAt: string; entryId: string } | null;
		limit: number;
	},
) {
	const { after } = query;
	let page = sharedNodes(db)
		.where('shares.kind_order', '=', query.kindOrder)
		.where(isBeyond(['shares.created_at', 'shares.id'], '<', after && [after.sharedAt, after.entryId]))
		.orderBy('shares.created_at', 'desc')
		.orderBy('shares.id', 'desc')
		.limit(query.limit);
	if (query.recipientId !== null) page = page.where('shares.recipient_id', '=', query.recipientId);
	return page.execute();
}

/** Locks the recipient of a share against changes until the transaction ends. */
export function lockRecipient(tx: Db, id: string) {
	return lockRows(tx, tx.selectFrom('users').select(['id', 'active']).where('id', '=', id), 'share').executeTakeFirst();
}

/** Lists one page of the users with a share or exclusion on one of the nodes, sorted by email address. */
export function listRecipientsOfNodes(db: Db, nodeIds: string[], afterKey: string | null, limit: number) {
	let page = db
		.selectFrom('users')
		.select(['id', 'email', 'email_key as emailKey', 'name', 'active'])
		.where('id', 'in', (eb) => eb.selectFrom('shares').select('recipient_id').where('node_id', 'in', nodeIds))
		.orderBy('email_key')
		.limit(limit);
	if (afterKey !== null) page = page.where('email_key', '>', afterKey);
	return page.execute();
}

export async function findRecipientsInSpace(db: Db, ownerId: string, userIds: string[]): Promise<string[]> {
	const rows = await db
		.selectFrom('shares')
		.select('recipient_id as id')
		.distinct()
		.where('owner_id', '=', ownerId)
		.where('recipient_id', 'in', userIds)
		.execute();
	return rows.map(({ id }) => id);
}
