import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { containsPattern, roughPattern } from '../../../platform/database/search.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

export type NodeRow = NonNullable<Awaited<ReturnType<typeof findNode>>>;

/** What a list is ordered by, with the column that holds it. Folders have no size: they stand by name. */
const sortColumns = { name: 'nodes.sort_key', size: 'nodes.size_bytes', date: 'nodes.created_at' } as const;
export type SortColumn = keyof typeof sortColumns;

/** Where a row stands in an order. */
interface RowPosition {
	value: string | number;
	id: string;
}

export interface NodeListQuery {
	ownerId: string;
	path: string;
	/** 0 for folders, 1 for files: one question asks for one kind, so that an index answers in either direction. */
	kindOrder: 0 | 1;
	/** '' lets every file through. */
	group: string;
	sort: SortColumn;
	order: 'asc' | 'desc';
	/** Last row of this kind on the page before. */
	after: RowPosition | null;
	/** The last row that is wanted; null for as many as there are. */
	until: RowPosition | null;
	limit: number;
	/** What this person's exclusions take out is not listed. */
	recipientId: string | null;
}

/** What a row of a node tells besides its own columns: its content's type, and what came of a thumbnail. */
export const typeColumns = [
	'blobs.content_type as contentType',
	'thumbnails.thumb_blob_id as thumbBlobId',
	'thumbnails.made_at as thumbMadeAt',
] as const;

function nodesWithType(db: Db) {
	return db
		.selectFrom('nodes')
		.leftJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.leftJoin('thumbnails', 'thumbnails.blob_id', 'nodes.blob_id')
		.selectAll('nodes')
		.select(typeColumns);
}

/** The value that a row stands by in an order. */
export function sortValueOf(row: NodeRow, sort: SortColumn): string | number {
	return { name: row.sort_key, size: row.size_bytes, date: row.created_at }[sort];
}

/** For a list of nodes: without those that this person's own exclusions take out. */
function isNotExcluded(recipientId: string) {
	return sql<SqlBool>`not exists (select 1 from grants where grants.node_id = nodes.id
		and grants.recipient_id = ${recipientId} and grants.kind = 'exclusion')`;
}

/** A page of a folder's folders, or of its files. */
export function listNodes(db: Db, query: NodeListQuery): Promise<NodeRow[]> {
	const column = sortColumns[query.sort];
	let page = nodesWithType(db)
		.where('nodes.owner_id', '=', query.ownerId)
		.where('nodes.path', '=', query.path)
		.where('nodes.deleted_at', 'is', null)
		.orderBy(column, query.order)
		.orderBy('nodes.id', query.order)
		.limit(query.limit);
	page =
		query.group === ''
			? page.where('nodes.kind_order', '=', query.kindOrder)
			: page.where('nodes.filter_group', '=', query.group);
	if (query.recipientId !== null) page = page.where(isNotExcluded(query.recipientId));
	const isAscending = query.order === 'asc';
	for (const [bound, operator] of [
		[query.after, isAscending ? sql`>` : sql`<`],
		[query.until, isAscending ? sql`<=` : sql`>=`],
	] as const) {
		if (bound === null) continue;
		page = page.where(
			sql<SqlBool>`(${sql.ref(column)}, ${sql.ref('nodes.id')}) ${operator} (${bound.value}, ${bound.id})`,
		);
	}
	return page.execute();
}

/** Where a row stands among what a search finds. */
export interface SearchPosition {
	kindOrder: number;
	sortKey: string;
	id: string;
}

export interface SearchQuery {
	/** Null: every space in which the person has an entry. */
	ownerId: string | null;
	/** Only below this path; null: everywhere in the space. */
	below: string | null;
	/** Whose entries say what may be read, where it is not the whole space. */
	recipientId: string | null;
	searchKey: string;
	group: string;
	kindOrder: 0 | 1 | null;
	after: SearchPosition | null;
	/** The last row that is wanted; null for as many as there are. */
	until: SearchPosition | null;
	limit: number;
	/** Few names hold the text: found by their trigrams. Many: the space is read in order until the page is full. */
	isRare: boolean;
	/** Few of those that the person reads do: found from the shares. */
	isRareInShares: boolean;
}

/** How many names hold the text, in all spaces, counted no further than `most`. */
export async function countMatchingNames(db: Db, searchKey: string, maxCount: number): Promise<number> {
	const matching = db
		.selectFrom('nodes_search')
		.select('id')
		.where('name_key', 'like', roughPattern(searchKey))
		.limit(maxCount);
	const row = await db
		.selectFrom(matching.as('some'))
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return row.count;
}

/**
 * For a search: ids of what is shared with a person, and of what lies below it, with the text in its name; some more than
 * once. Found from the person's shares, for a space may hold any number of files that they do not read. A cross join is
 * one that SQLite does not turn round.
 */
function matchingSharedNodeIds(recipientId: string, searchKey: string) {
	const inside = sql`case when top.path = '' then top.real_path else top.path || '/' || top.real_path end`;
	const below = (isBelowShare: RawBuilder<unknown>) => sql`
		select node.id from grants cross join nodes as top cross join nodes as node
		where grants.recipient_id = ${recipientId} and grants.kind = 'share'
		and top.id = grants.node_id and top.kind = 'folder'
		and node.owner_id = top.owner_id and ${isBelowShare} and node.deleted_at is null
		and node.name_key like ${containsPattern(searchKey)}`;
	return sql<{ id: string }>`
		select grants.node_id as id from grants where grants.recipient_id = ${recipientId} and grants.kind = 'share'
		union all ${below(sql`node.path = ${inside}`)}
		union all ${below(sql`node.path >= ${inside} || '/' and node.path < ${inside} || '0'`)}`;
}

/** How many names that hold the text lie in what is shared with a person, counted no further than `most`. */
export async function countMatchingSharedNames(
	db: Db,
	recipientId: string,
	searchKey: string,
	maxCount: number,
): Promise<number> {
	const { rows } = await sql<{ count: number }>`
		select count(*) as count from (${matchingSharedNodeIds(recipientId, searchKey)} limit ${maxCount}) as found`.execute(
		db,
	);
	return Number(rows[0]?.count ?? 0);
}

/**
 * A page of the nodes of a space whose name holds the text, folders first; those in deleted folders, and those that the
 * person may not read, among them.
 */
export function searchNodes(db: Db, query: SearchQuery): Promise<NodeRow[]> {
	let page = nodesWithType(db)
		.where('nodes.deleted_at', 'is', null)
		.where('nodes.name_key', 'like', containsPattern(query.searchKey))
		.orderBy('nodes.kind_order')
		.orderBy('nodes.sort_key')
		.orderBy('nodes.id')
		.limit(query.limit);
	const { ownerId, recipientId, below } = query;
	page =
		ownerId === null
			? page.where('nodes.owner_id', 'in', (eb) =>
					eb.selectFrom('grants').select('grants.owner_id').where('grants.recipient_id', '=', recipientId),
				)
			: page.where('nodes.owner_id', '=', ownerId);
	if (below !== null) page = page.where(isBelow(below, 'nodes.path'));
	if (query.isRare) {
		page = page.where('nodes.id', 'in', (eb) =>
			eb.selectFrom('nodes_search').select('nodes_search.id').where('name_key', 'like', roughPattern(query.searchKey)),
		);
	}
	if (query.isRareInShares && recipientId !== null)
		page = page.where(sql<SqlBool>`nodes.id in (${matchingSharedNodeIds(recipientId, query.searchKey)})`);
	if (query.group !== '') page = page.where('nodes.filter_group', '=', query.group);
	if (query.kindOrder !== null) page = page.where('nodes.kind_order', '=', query.kindOrder);
	for (const [bound, operator] of [
		[query.after, '>'],
		[query.until, '<='],
	] as const) {
		if (bound === null) continue;
		page = page.where((where) =>
			where(
				where.refTuple('nodes.kind_order', 'nodes.sort_key', 'nodes.id'),
				operator,
				where.tuple(bound.kindOrder, bound.sortKey, bound.id),
			),
		);
	}
	return page.execute();
}

/** A node that is not deleted itself; whether its folders are, only their own rows say. */
export function findNode(db: Db, id: string) {
	return nodesWithType(db).where('nodes.id', '=', id).where('nodes.deleted_at', 'is', null).executeTakeFirst();
}

/** Those of some nodes that are not deleted themselves. */
export async function findNodes(db: Db, ids: string[]): Promise<NodeRow[]> {
	if (ids.length === 0) return [];
	return nodesWithType(db).where('nodes.id', 'in', ids).where('nodes.deleted_at', 'is', null).execute();
}

/** A node wherever it is, the trash included. */
export function findNodeIncludingTrashed(db: Db, id: string) {
	return nodesWithType(db).where('nodes.id', '=', id).executeTakeFirst();
}

/** Folders of a space by their realPaths that are not deleted themselves: the ancestors that a path names. */
export async function findFoldersByRealPaths(db: Db, ownerId: string, realPaths: string[]) {
	if (realPaths.length === 0) return [];
	return db
		.selectFrom('nodes')
		.select(['id', 'name', 'path', 'real_path'])
		.where('owner_id', '=', ownerId)
		.where('real_path', 'in', realPaths)
		.where('deleted_at', 'is', null)
		.execute();
}

/** Keeps a folder where it is until the transaction ends, so that nothing is put into one that is being deleted. */
export function lockFolder(tx: Db, id: string) {
	return lockRows(
		tx,
		tx.selectFrom('nodes').select(['id', 'path', 'real_path']).where('id', '=', id).where('deleted_at', 'is', null),
	).executeTakeFirst();
}

export function findNodeByNameKey(db: Db, ownerId: string, path: string, nameKey: string) {
	return db
		.selectFrom('nodes')
		.select(['id', 'kind', 'real_path'])
		.where('owner_id', '=', ownerId)
		.where('path', '=', path)
		.where('name_key', '=', nameKey)
		.where('deleted_at', 'is', null)
		.executeTakeFirst();
}

/** The largest realPath of a space; all have thirteen digits, so text compares as numbers do. */
export async function findLastRealPath(db: Db, ownerId: string): Promise<string | null> {
	const row = await db
		.selectFrom('nodes')
		.select((eb) => eb.fn.max('real_path').as('last'))
		.where('owner_id', '=', ownerId)
		.where('real_path', 'is not', null)
		.executeTakeFirst();
	return row?.last ?? null;
}

export async function insertNode(tx: Db, row: Insertable<Schema['nodes']>): Promise<void> {
	await tx.insertInto('nodes').values(row).execute();
}

export type NodeNameColumns = Pick<Schema['nodes'], 'name' | 'name_key' | 'sort_key' | 'ending'> & {
	filter_group: string;
};

export async function updateNodeName(tx: Db, id: string, names: NodeNameColumns): Promise<void> {
	await tx.updateTable('nodes').set(names).where('id', '=', id).execute();
}

export async function updateNodeParent(tx: Db, id: string, parentId: string | null, path: string): Promise<void> {
	await tx.updateTable('nodes').set({ parent_id: parentId, path }).where('id', '=', id).execute();
}

/** Paths below a folder begin with its own and a '/', and '0' is the sign after '/': a range, so that an index finds them. */
export function isBelow(path: string, column = 'path') {
	const ref = sql.ref(column);
	return sql<SqlBool>`(${ref} = ${path} or (${ref} >= ${`${path}/`} and ${ref} < ${`${path}0`}))`;
}

/** How many folders stand in each other at most below a folder, itself not counted; `path` of what lies in it. Its trash counts. */
export async function countFolderLevelsBelow(db: Db, ownerId: string, path: string): Promise<number> {
	const slashes = sql<number>`length(path) - length(replace(path, '/', ''))`;
	const row = await db
		.selectFrom('nodes')
		.select(sql<number | null>`max(${slashes})`.as('slashes'))
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'folder')
		.where(isBelow(path))
		.executeTakeFirstOrThrow();
	return row.slashes === null ? 0 : row.slashes + 2 - path.split('/').length;
}

/** Everything below a folder follows it to another place. `from` and `to`: paths of what lies in the folder. */
export async function movePaths(tx: Db, ownerId: string, from: string, to: string): Promise<void> {
	const path = sql<string>`${to} || substr(path, ${from.length + 1})`;
	await tx.updateTable('nodes').set({ path }).where('owner_id', '=', ownerId).where(isBelow(from)).execute();
	await tx.updateTable('folder_totals').set({ path }).where('owner_id', '=', ownerId).where(isBelow(from)).execute();
}

/** Entries and bytes below a folder; `path` of what lies in it. */
export async function sumBelow(db: Db, ownerId: string, path: string): Promise<{ count: number; sizeBytes: number }> {
	const row = await db
		.selectFrom('nodes')
		.select((eb) => [
			eb.fn.countAll<number>().as('count'),
			sql<number>`cast(coalesce(sum(size_bytes), 0) as bigint)`.as('sizeBytes'),
		])
		.where('owner_id', '=', ownerId)
		.where('deleted_at', 'is', null)
		.where(isBelow(path))
		.executeTakeFirstOrThrow();
	return row;
}

/** Live children of a folder by the name they are compared by, after a name, in its order. */
export function listChildrenByName(db: Db, ownerId: string, path: string, afterKey: string, limit: number) {
	return db
		.selectFrom('nodes')
		.selectAll()
		.where('owner_id', '=', ownerId)
		.where('path', '=', path)
		.where('deleted_at', 'is', null)
		.where('name_key', '>', afterKey)
		.orderBy('name_key')
		.limit(limit)
		.execute();
}

/** Folders of a space by their realPaths, the trash and what is on its way included. */
export async function findFoldersIncludingTrashed(db: Db, ownerId: string, realPaths: string[]) {
	if (realPaths.length === 0) return [];
	return db
		.selectFrom('nodes')
		.select(['id', 'state'])
		.where('owner_id', '=', ownerId)
		.where('real_path', 'in', realPaths)
		.execute();
}

export async function insertNodes(tx: Db, rows: Array<Insertable<Schema['nodes']>>): Promise<void> {
	if (rows.length > 0) await tx.insertInto('nodes').values(rows).execute();
}

export async function updateDeletedAt(
	tx: Db,
	id: string,
	deletedAt: string | null,
	state: 'arriving' | 'leaving' | null = null,
): Promise<void> {
	await tx.updateTable('nodes').set({ deleted_at: deletedAt, state }).where('id', '=', id).execute();
}

export async function insertBlob(tx: Db, row: Insertable<Schema['blobs']>): Promise<void> {
	await tx.insertInto('blobs').values(row).execute();
}

/** Keeps blobs until the transaction ends. @returns those that are still there */
export async function lockBlobs(tx: Db, ids: string[]): Promise<Set<string>> {
	if (ids.length === 0) return new Set();
	const rows = await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', 'in', ids), 'share').execute();
	return new Set(rows.map((row) => row.id));
}

export function findBlob(db: Db, id: string) {
	return db.selectFrom('blobs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** PDFs anywhere in a space, for choosing editions. */
export function listFilesByEnding(db: Db, ownerId: string, ending: string) {
	return db
		.selectFrom('nodes')
		.select(['id', 'name', 'path'])
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.where('ending', '=', ending)
		.where('deleted_at', 'is', null)
		.orderBy('sort_key')
		.orderBy('id')
		.limit(1000)
		.execute();
}

/** Everything below a folder that is not deleted itself, no more than `limit` rows. */
export function listBelow(db: Db, ownerId: string, path: string, limit: number): Promise<NodeRow[]> {
	return nodesWithType(db)
		.where('nodes.owner_id', '=', ownerId)
		.where('nodes.deleted_at', 'is', null)
		.where(isBelow(path, 'nodes.path'))
		.limit(limit)
		.execute();
}

export type NodePath = Awaited<ReturnType<typeof listPathsBelow>>[number];

/** The same, with nothing but where each stands. */
export function listPathsBelow(db: Db, ownerId: string, path: string, limit: number) {
	return db
		.selectFrom('nodes')
		.select(['id', 'kind', 'name', 'path', 'real_path'])
		.where('owner_id', '=', ownerId)
		.where('deleted_at', 'is', null)
		.where(isBelow(path))
		.limit(limit)
		.execute();
}

/** Some files below a folder, deleted or not. */
export function findFilesBelow(tx: Db, ownerId: string, path: string, limit: number) {
	return tx
		.selectFrom('nodes')
		.select(['id', 'blob_id as blobId', 'size_bytes as sizeBytes'])
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.where(isBelow(path))
		.limit(limit)
		.execute();
}

/** Some folders below a folder, the innermost first. */
export function findFoldersBelow(tx: Db, ownerId: string, path: string, limit: number) {
	return tx
		.selectFrom('nodes')
		.select('id')
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'folder')
		.where(isBelow(path))
		.orderBy(sql`length(path)`, 'desc')
		.limit(limit)
		.execute();
}

/** Files in a space, those in the trash too. */
export async function countFiles(db: Db, ownerId: string): Promise<number> {
	const row = await db
		.selectFrom('nodes')
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.executeTakeFirstOrThrow();
	return row.count;
}

/** Some files of a space, in the trash or not. */
export function findFilesIncludingTrashed(tx: Db, ownerId: string, limit: number) {
	return tx
		.selectFrom('nodes')
		.select(['id', 'blob_id as blobId'])
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.limit(limit)
		.execute();
}

/** Some folders of a space that hold nothing. */
export function findEmptyFolders(tx: Db, ownerId: string, limit: number) {
	return tx
		.selectFrom('nodes')
		.select('id')
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'folder')
		.where((where) =>
			where.not(
				where.exists(
					where.selectFrom('nodes as child').select('child.id').whereRef('child.parent_id', '=', 'nodes.id'),
				),
			),
		)
		.limit(limit)
		.execute();
}

export async function deleteNodes(tx: Db, ids: string[]): Promise<void> {
	await tx.deleteFrom('nodes').where('id', 'in', ids).execute();
}

export async function deleteTotalsBelow(tx: Db, ownerId: string, path: string): Promise<void> {
	await tx.deleteFrom('folder_totals').where('owner_id', '=', ownerId).where(isBelow(path)).execute();
}

/** A folder above something. */
export type FolderRef = Awaited<ReturnType<typeof findFoldersByRealPaths>>[number];
