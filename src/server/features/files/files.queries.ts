import type { Insertable } from 'kysely';
import { lockRows } from '../../db/row-lock.ts';
import type { Db, Schema } from '../../db/schema.ts';
import { containsPattern } from '../../db/search.ts';

export type NodeRow = NonNullable<Awaited<ReturnType<typeof findLiveNode>>>;

export interface ListingQuery {
	ownerId: string;
	path: string;
	searchKey: string;
	endings: readonly string[] | null;
	/** Last row of the page before. */
	after: { kindOrder: number; sortKey: string; id: string } | null;
	limit: number;
}

function nodesWithType(db: Db) {
	return db
		.selectFrom('nodes')
		.leftJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.selectAll('nodes')
		.select('blobs.content_type as contentType');
}

/** One page of a folder: folders first, each kind in the specified order. */
export function listNodes(db: Db, query: ListingQuery) {
	let page = nodesWithType(db)
		.where('nodes.owner_id', '=', query.ownerId)
		.where('nodes.path', '=', query.path)
		.where('nodes.deleted_at', 'is', null)
		.orderBy('nodes.kind_order')
		.orderBy('nodes.sort_key')
		.orderBy('nodes.id')
		.limit(query.limit);
	if (query.searchKey !== '') page = page.where('nodes.name_key', 'like', containsPattern(query.searchKey));
	if (query.endings !== null)
		page = page.where('nodes.kind', '=', 'file').where('nodes.ending', 'in', [...query.endings]);
	const { after } = query;
	if (after !== null) {
		page = page.where((where) =>
			where(
				where.refTuple('nodes.kind_order', 'nodes.sort_key', 'nodes.id'),
				'>',
				where.tuple(after.kindOrder, after.sortKey, after.id),
			),
		);
	}
	return page.execute();
}

/** Counts and bytes of one folder, without what lies deeper. */
export function sumFolder(db: Db, ownerId: string, path: string) {
	return db
		.selectFrom('nodes')
		.select((eb) => ['kind', eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('size_bytes').as('size')])
		.where('owner_id', '=', ownerId)
		.where('path', '=', path)
		.where('deleted_at', 'is', null)
		.groupBy('kind')
		.execute();
}

/** Direct children of some folders. */
export function countChildren(db: Db, parentIds: string[]) {
	return db
		.selectFrom('nodes')
		.select((eb) => ['parent_id as parentId', eb.fn.countAll<number>().as('count')])
		.where('parent_id', 'in', parentIds)
		.where('deleted_at', 'is', null)
		.groupBy('parent_id')
		.execute();
}

export function findLiveNode(db: Db, id: string) {
	return nodesWithType(db).where('nodes.id', '=', id).where('nodes.deleted_at', 'is', null).executeTakeFirst();
}

/** Folders of a space by their realPaths: the ancestors that a path names. */
export function findFoldersByRealPaths(db: Db, ownerId: string, realPaths: string[]) {
	return db
		.selectFrom('nodes')
		.select(['id', 'name', 'path', 'real_path as realPath'])
		.where('owner_id', '=', ownerId)
		.where('real_path', 'in', realPaths)
		.where('deleted_at', 'is', null)
		.execute();
}

/** Keeps a folder where it is until the transaction ends, so that nothing is put into one that is being deleted. */
export function lockFolder(tx: Db, id: string) {
	return lockRows(
		tx,
		tx.selectFrom('nodes').select('id').where('id', '=', id).where('deleted_at', 'is', null),
	).executeTakeFirst();
}

export function findNodeByNameKey(db: Db, ownerId: string, path: string, nameKey: string) {
	return db
		.selectFrom('nodes')
		.select(['id', 'kind'])
		.where('owner_id', '=', ownerId)
		.where('path', '=', path)
		.where('name_key', '=', nameKey)
		.where('deleted_at', 'is', null)
		.executeTakeFirst();
}

export async function hasRealPath(db: Db, ownerId: string, realPath: string): Promise<boolean> {
	const row = await db
		.selectFrom('nodes')
		.select('id')
		.where('owner_id', '=', ownerId)
		.where('real_path', '=', realPath)
		.executeTakeFirst();
	return row !== undefined;
}

export async function insertNode(tx: Db, row: Insertable<Schema['nodes']>): Promise<void> {
	await tx.insertInto('nodes').values(row).execute();
}

export async function renameNode(
	tx: Db,
	id: string,
	names: { name: string; name_key: string; sort_key: string },
): Promise<void> {
	await tx.updateTable('nodes').set(names).where('id', '=', id).execute();
}

/** Ids of the live nodes whose parent is one of these. */
export async function findChildIds(tx: Db, parentIds: string[]): Promise<string[]> {
	const rows = await tx
		.selectFrom('nodes')
		.select('id')
		.where('parent_id', 'in', parentIds)
		.where('deleted_at', 'is', null)
		.execute();
	return rows.map((row) => row.id);
}

export async function markDeleted(tx: Db, ids: string[], now: string): Promise<void> {
	await tx.updateTable('nodes').set({ deleted_at: now }).where('id', 'in', ids).execute();
}

export async function insertBlob(tx: Db, row: Insertable<Schema['blobs']>): Promise<void> {
	await tx.insertInto('blobs').values(row).execute();
}

export function findBlob(db: Db, id: string) {
	return db.selectFrom('blobs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** PDFs anywhere in a space, for choosing editions. */
export function listFilesByEnding(db: Db, ownerId: string, ending: string) {
	return db
		.selectFrom('nodes')
		.select(['id', 'name'])
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.where('ending', '=', ending)
		.where('deleted_at', 'is', null)
		.orderBy('sort_key')
		.orderBy('id')
		.limit(1000)
		.execute();
}
