import { type SqlBool, sql } from 'kysely';
import type { FileFilter } from '#contract/files/file-types.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';
import { typeColumns } from '../../files/index.ts';

export type SharedNodeRow = Awaited<ReturnType<typeof listShares>>[number];

/** What a list of shares is ordered by; names are kept with the entries, so that an index answers. */
const sortColumns = { name: 'grants.sort_key', size: 'nodes.size_bytes', date: 'nodes.created_at' } as const;

/** A list of a person's own entries on folders, or on files. */
export interface ShareListQuery {
	recipientId: string;
	kindOrder: 0 | 1;
	/** 'all' lets every file through. */
	type: FileFilter;
	sort: keyof typeof sortColumns;
	order: 'asc' | 'desc';
	/** Last row of the page before: its value in the order, and its node. */
	after: { value: string | number; nodeId: string } | null;
	limit: number;
}

function sharedNodes(db: Db) {
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

/** A page of a person's own entries; those inside other shares among them. */
export function listShares(db: Db, query: ShareListQuery) {
	const column = sortColumns[query.sort];
	let page = sharedNodes(db)
		.where('grants.recipient_id', '=', query.recipientId)
		.where('grants.kind_order', '=', query.kindOrder)
		.orderBy(column, query.order)
		.orderBy('grants.node_id', query.order)
		.limit(query.limit);
	if (query.type !== 'all') page = page.where('nodes.filter_group', '=', query.type);
	const { after } = query;
	if (after !== null) {
		const operator = query.order === 'asc' ? sql`>` : sql`<`;
		page = page.where(
			sql<SqlBool>`(${sql.ref(column)}, ${sql.ref('grants.node_id')}) ${operator} (${after.value}, ${after.nodeId})`,
		);
	}
	return page.execute();
}

/** Which of these nodes anybody has a share of. */
export async function findSharedNodeIds(db: Db, nodeIds: string[]): Promise<string[]> {
	const rows = await db
		.selectFrom('grants')
		.select('node_id as id')
		.distinct()
		.where('node_id', 'in', nodeIds)
		.where('kind', '=', 'share')
		.execute();
	return rows.map(({ id }) => id);
}

/** A page of everybody's shares of one kind, newest first. */
export function listAllShares(
	db: Db,
	query: {
		kindOrder: 0 | 1;
		recipientId: string | null;
		after: { sharedAt: string; entryId: string } | null;
		limit: number;
	},
) {
	let page = sharedNodes(db)
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
export function listRecipientsOfNodes(db: Db, nodeIds: string[], afterKey: string | null, limit: number) {
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
export async function findRecipientsInSpace(db: Db, ownerId: string, userIds: string[]): Promise<string[]> {
	const rows = await db
		.selectFrom('grants')
		.select('recipient_id as id')
		.distinct()
		.where('owner_id', '=', ownerId)
		.where('recipient_id', 'in', userIds)
		.execute();
	return rows.map(({ id }) => id);
}
