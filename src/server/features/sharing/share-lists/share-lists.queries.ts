import { type SqlBool, sql } from 'kysely';
import type { FileFilter } from '#contract/files/file-types.ts';
import { isBeyond, pageAfter, preparedLimit, prepareQuery } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { isMemberOf, type Reader } from '../../accounts/index.ts';
import { recipientIdsOf } from '../shares/shares.queries.ts';

/** Columns to sort shares by. A share has a copy of its node's sort key, so that an index has this order. */
const sortColumns = { name: 'shares.sort_key', size: 'nodes.size_bytes', date: 'nodes.created_at' } as const;

export interface ShareListQuery {
	recipientIds: readonly string[];
	kindOrder: 0 | 1;
	type: FileFilter;
	sort: keyof typeof sortColumns;
	order: 'asc' | 'desc';
	after: { value: string | number; id: string } | null;
	limit: number;
}

/** Maximum SELECTs in a union. SQLite allows 500 (sqlite.org/limits.html). */
const branchesMax = 100;

/** Parameters of the query: the recipients are `recipient-0`, `recipient-1` and so on. */
type ListValues = Record<string, string | number>;

/**
 * Lists one page of the nodes that recipients have shares of, including nodes inside other shared folders and deleted
 * nodes; a node that is shared with two recipients occurs twice in succession. The query is a union with one SELECT for
 * each recipient, which reads an index in order and stops at the limit.
 */
export async function listShares(db: Db, query: ShareListQuery) {
	const { sort, order, type, after, kindOrder } = query;
	const recipients = query.recipientIds.map((id, i) => [`recipient-${i}`, id]);
	const values = {
		...{ kindOrder, type },
		...(after !== null && { afterValue: after.value, afterId: after.id }),
		...Object.fromEntries(recipients),
	};
	const shape = { sort, order, limit: preparedLimit(query.limit), hasType: type !== 'all', hasAfter: after !== null };
	const { rows } = await preparedList(db, values, shape);
	return rows.slice(0, query.limit);
}

type ListShape = Pick<ShareListQuery, 'sort' | 'order' | 'limit'> & { hasType: boolean; hasAfter: boolean };

const preparedList = prepareQuery((db, values: ListValues, shape: ListShape) => {
	const recipients = Object.keys(values).filter((name) => name.startsWith('recipient-'));
	// Only the order by name has an index; for another order, one SELECT sorts the shares of all recipients.
	const sizeOfBranch = shape.sort === 'name' ? Math.ceil(recipients.length / branchesMax) : recipients.length;
	const branches = Array.from({ length: Math.ceil(recipients.length / sizeOfBranch) }, (_, i) => {
		const names = recipients.slice(i * sizeOfBranch, (i + 1) * sizeOfBranch);
		return db.selectFrom(sharesOf(db, shape, values, names).as('branch')).select(['branch.nodeId', 'branch.value']);
	});
	const [first, ...others] = branches as [(typeof branches)[number], ...typeof branches];
	const found = db
		.selectFrom(others.reduce((union, branch) => union.unionAll(branch), first).as('all'))
		.select(['all.nodeId', 'all.value'])
		.orderBy('all.value', shape.order)
		.orderBy('all.nodeId', shape.order)
		.limit(shape.limit);
	return db
		.selectFrom(found.as('found'))
		.innerJoin('nodes', 'nodes.id', 'found.nodeId')
		.leftJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.leftJoin('thumbnails', 'thumbnails.blob_id', 'nodes.blob_id')
		.selectAll('nodes')
		.select([
			'blobs.content_type as contentType',
			'thumbnails.thumb_blob_id as thumbBlobId',
			'thumbnails.made_at as thumbMadeAt',
		])
		.orderBy('found.value', shape.order)
		.orderBy('found.nodeId', shape.order);
});

function sharesOf(
	db: Db,
	{ sort, order, limit, hasType, hasAfter }: ListShape,
	values: ListValues,
	recipients: string[],
) {
	const column = sortColumns[sort];
	const { afterValue = '', afterId = '' } = values;
	const recipientIds = recipients.map((name) => values[name] as string);
	let page = db
		.selectFrom('shares')
		// Without a column of the nodes, the index on shares is enough.
		.$if(sort !== 'name' || hasType, (shares) => shares.innerJoin('nodes', 'nodes.id', 'shares.node_id'))
		.select(['shares.node_id as nodeId', sql.ref<string | number>(column).as('value')])
		.where('shares.kind', '=', 'share')
		.where('shares.kind_order', '=', values.kindOrder as number)
		.where('shares.recipient_id', 'in', recipientIds)
		.where(isBeyond([column, 'shares.node_id'], order === 'asc' ? '>' : '<', hasAfter ? [afterValue, afterId] : null))
		.orderBy(sql.ref(column), order)
		.orderBy('shares.node_id', order)
		.limit(limit);
	if (hasType) page = page.where(sql<SqlBool>`nodes.filter_group = ${values.type}`);
	return page;
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

/** Lists one page of the shares of folders or of files (`kindOrder`), newest first; with `reader`, only the reader's. */
export function listAllShares(
	db: Db,
	query: {
		kindOrder: 0 | 1;
		reader: Reader | null;
		/** Includes the row of this position. */
		from: { sharedAt: string; entryId: string } | null;
		limit: number;
	},
) {
	const { from, reader } = query;
	let page = db
		.selectFrom('shares')
		.innerJoin('nodes', 'nodes.id', 'shares.node_id')
		.leftJoin('users', 'users.id', 'shares.recipient_id')
		.select(['nodes.id', 'nodes.owner_id', 'nodes.kind', 'nodes.name', 'nodes.path', 'nodes.real_path'])
		.select([
			'shares.id as entryId',
			'shares.recipient_id as recipientId',
			'users.email',
			'users.email_key as emailKey',
		])
		.select(['shares.shared_by as sharedBy', 'shares.created_at as sharedAt'])
		.where('nodes.deleted_at', 'is', null)
		.where('shares.kind', '=', 'share')
		.where('shares.kind_order', '=', query.kindOrder)
		.where(isBeyond(['shares.created_at', 'shares.id'], '<=', from && [from.sharedAt, from.entryId]))
		.orderBy('shares.created_at', 'desc')
		.orderBy('shares.id', 'desc')
		.limit(query.limit);
	if (reader !== null) page = page.where('shares.recipient_id', 'in', recipientIdsOf(reader));
	return page.execute();
}

/** Lists one page of the users with rows on nodes and of the members of groups with rows on them, by email address. */
export function listUsersOfRecipients(
	db: Db,
	query: { nodeIds: string[]; groupIds: string[]; afterKey: string | null; limit: number },
) {
	const { nodeIds, groupIds, afterKey } = query;
	return db
		.selectFrom('users')
		.select(['id', 'email', 'email_key as emailKey', 'name', 'active'])
		.where((where) =>
			where.or([
				where('id', 'in', where.selectFrom('shares').select('recipient_id').where('node_id', 'in', nodeIds)),
				...groupIds.map((groupId) => isMemberOf(groupId)(where)),
			]),
		)
		.$call(pageAfter(afterKey === null ? null : [afterKey], ['email_key'], 'asc', query.limit))
		.execute();
}

/** Lists members of a group by email address, from `fromKey` on. */
export function listMembersFrom(db: Db, groupId: string, fromKey: string, limit: number) {
	return db
		.selectFrom('users')
		.select(['id', 'email', 'email_key as emailKey'])
		.where(isMemberOf(groupId))
		.where('email_key', '>=', fromKey)
		.orderBy('email_key')
		.limit(limit)
		.execute();
}

/** Finds the recipients with shares or exclusions in a space: those of the users, or the groups. */
export async function findRecipientsInSpace(db: Db, ownerId: string, which: string[] | 'groups'): Promise<string[]> {
	const recipients = db.selectFrom('shares').select('recipient_id as id').distinct().where('owner_id', '=', ownerId);
	const rows = await (which === 'groups'
		? recipients.where('recipient_kind', '=', 'group')
		: recipients.where('recipient_id', 'in', which)
	).execute();
	return rows.map(({ id }) => id);
}
