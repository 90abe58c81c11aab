import { sql } from 'kysely';
import type { Db } from '../../../platform/database/schema.ts';
import { isUnusedBlob } from '../../../platform/storage/blobs.queries.ts';

/** Finds blobs that nothing refers to. `keptIds`: ids that settings refer to. */
export function findUnreferencedBlobs(db: Db, keptIds: string[], olderThan: string) {
	let query = db
		.selectFrom('blobs')
		.select(['id', 'storage_key as storageKey'])
		.where('created_at', '<', olderThan)
		.where(isUnusedBlob);
	if (keptIds.length > 0) query = query.where('id', 'not in', keptIds);
	return query.limit(500).execute();
}

export async function deleteBlobs(db: Db, ids: string[]): Promise<void> {
	await db.deleteFrom('blobs').where('id', 'in', ids).execute();
}

/** Returns which of these storage keys belong to a blob or to an unfinished upload. */
export async function findKnownKeys(db: Db, keys: string[]): Promise<Set<string>> {
	// Uploads are read first: an upload that finishes between the two queries has its blob by the second query.
	const uploads = await db
		.selectFrom('uploads')
		.select(['storage_key', 'tail_key'])
		.where((where) => where.or([where('storage_key', 'in', keys), where('tail_key', 'in', keys)]))
		.where('finished_at', 'is', null)
		.execute();
	const blobs = await db.selectFrom('blobs').select('storage_key as key').where('storage_key', 'in', keys).execute();
	return new Set([...uploads.flatMap((row) => [row.storage_key, row.tail_key ?? '']), ...blobs.map((row) => row.key)]);
}

export async function hasUploadUnder(db: Db, key: string): Promise<boolean> {
	const query = db.selectFrom('uploads').select('id').where('storage_key', '=', key).where('finished_at', 'is', null);
	return (await query.executeTakeFirst()) !== undefined;
}

export async function hasBlob(db: Db, id: string): Promise<boolean> {
	return (await db.selectFrom('blobs').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export function listBlobs(db: Db, afterId: string, limit: number) {
	return db.selectFrom('blobs').selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute();
}

/** Finds nodes whose parent is not the folder that their path names; nodes in the trash included. */
export function findMisplacedNodes(db: Db) {
	return db
		.selectFrom('nodes as n')
		.leftJoin('nodes as p', 'p.id', 'n.parent_id')
		.select(['n.id', 'n.name'])
		.where('n.path', '<>', '')
		.where((where) =>
			where.or([
				where('p.id', 'is', null),
				where('p.kind', '<>', 'folder'),
				sql<boolean>`n.path <> case when p.path = '' then p.real_path else p.path || '/' || p.real_path end`,
			]),
		)
		.limit(100)
		.execute();
}

/** Finds nodes in spaces whose owner does not exist. `known`: owners that are not users, or are being deleted. */
export function findNodesWithoutOwner(db: Db, known: string[]) {
	return db
		.selectFrom('nodes')
		.leftJoin('users', 'users.id', 'nodes.owner_id')
		.select(['nodes.id', 'nodes.name'])
		.where('users.id', 'is', null)
		.where('nodes.owner_id', 'not in', known)
		.limit(100)
		.execute();
}

/** Finds users who do not exist but have conversations or messages. `known`: conversations being deleted. */
export async function findChatsWithoutOwner(db: Db, known: string[]): Promise<string[]> {
	const [conversations, messages] = (['conversations', 'messages'] as const).map((table) => {
		const rows = db
			.selectFrom(table)
			.leftJoin('users', 'users.id', `${table}.user_id`)
			.select(`${table}.user_id as userId`)
			.where('users.id', 'is', null);
		return known.length === 0 ? rows : rows.where(`${table}.user_id`, 'not in', known);
	});
	if (conversations === undefined || messages === undefined) return [];
	const rows = await conversations.union(messages).orderBy('userId').limit(100).execute();
	return rows.map(({ userId }) => userId);
}

/** Finds storage keys that only messages of these users refer to. */
export async function findChatKeysOf(db: Db, userIds: string[]): Promise<string[]> {
	if (userIds.length === 0) return [];
	const rows = await db
		.selectFrom('messages')
		.innerJoin('blobs', 'blobs.id', 'messages.blob_id')
		.select('blobs.storage_key as key')
		.where('messages.user_id', 'in', userIds)
		// Files of canned replies have other keys, because each is stored once for all recipients.
		.where('blobs.storage_key', 'like', 'messages/%')
		.orderBy('key')
		.limit(100)
		.execute();
	return rows.map(({ key }) => key);
}

/** Finds folders whose stored totals differ from their children, except folders that are being purged. */
export function findWrongTotals(db: Db) {
	// '0' is the character after '/', so the range contains all paths below a folder.
	const isLeaving = sql<boolean>`exists (
		select 1 from (
			select owner_id, case when path = '' then real_path else path || '/' || real_path end as below
			from nodes where state = 'leaving' and kind = 'folder' and deleted_at is not null
		) as l
		where l.owner_id = t.owner_id and (t.path = l.below or (t.path >= l.below || '/' and t.path < l.below || '0')))`;
	const counted = db
		.selectFrom('nodes')
		.select((eb) => [
			'owner_id',
			'path',
			eb.fn.sum<number>('kind_order').as('files'),
			eb.fn.countAll<number>().as('entries'),
			eb.fn.sum<number>('size_bytes').as('size_bytes'),
		])
		.where('deleted_at', 'is', null)
		.groupBy(['owner_id', 'path'])
		.as('n');
	return db
		.selectFrom('folder_totals as t')
		.fullJoin(counted, (join) => join.onRef('n.owner_id', '=', 't.owner_id').onRef('n.path', '=', 't.path'))
		.select([
			sql<string>`coalesce(t.owner_id, n.owner_id)`.as('ownerId'),
			sql<string>`coalesce(t.path, n.path)`.as('path'),
		])
		.where((where) =>
			where.or([
				sql<boolean>`coalesce(t.files, 0) <> coalesce(n.files, 0)`,
				sql<boolean>`coalesce(t.folders, 0) + coalesce(t.files, 0) <> coalesce(n.entries, 0)`,
				sql<boolean>`coalesce(t.size_bytes, 0) <> coalesce(n.size_bytes, 0)`,
			]),
		)
		.where((where) => where.not(isLeaving))
		.orderBy('ownerId')
		.orderBy('path')
		.limit(100)
		.execute();
}

/** Finds spaces whose stored usage differs from their nodes, their trash included. */
export function findWrongSpaces(db: Db) {
	const counted = db
		.selectFrom('nodes')
		.select((eb) => [
			'owner_id',
			eb.fn.sum<number>('kind_order').as('files'),
			eb.fn.sum<number>('size_bytes').as('size_bytes'),
		])
		.groupBy('owner_id')
		.as('n');
	return db
		.selectFrom('spaces as s')
		.fullJoin(counted, (join) => join.onRef('n.owner_id', '=', 's.owner_id'))
		.select(sql<string>`coalesce(s.owner_id, n.owner_id)`.as('ownerId'))
		.where((where) =>
			where.or([
				sql<boolean>`coalesce(s.file_count, 0) <> coalesce(n.files, 0)`,
				sql<boolean>`coalesce(s.used_bytes, 0) <> coalesce(n.size_bytes, 0)`,
			]),
		)
		.limit(100)
		.execute();
}

/** Finds files without a blob, or whose size differs from that of their blob. */
export function findFilesWithoutBytes(db: Db) {
	return db
		.selectFrom('nodes')
		.leftJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.select(['nodes.id', 'nodes.name'])
		.where('nodes.kind', '=', 'file')
		.where((where) => where.or([where('blobs.id', 'is', null), sql<boolean>`blobs.size_bytes <> nodes.size_bytes`]))
		.limit(100)
		.execute();
}

export function findWrongVisitAddresses(db: Db) {
	const counted = db
		.selectFrom('visits')
		.select((eb) => ['ip', eb.fn.countAll<number>().as('visits')])
		.groupBy('ip')
		.as('v');
	return db
		.selectFrom('visit_addresses as a')
		.fullJoin(counted, (join) => join.onRef('v.ip', '=', 'a.ip'))
		.select(sql<string>`coalesce(a.ip, v.ip)`.as('ip'))
		.where(sql<boolean>`coalesce(a.visits, 0) <> coalesce(v.visits, 0)`)
		.orderBy('ip')
		.limit(100)
		.execute();
}

/** Finds days whose pages or referrers do not add up to their visits. */
export function findWrongVisitDays(db: Db) {
	const counted = db
		.selectFrom('visit_sources')
		.select([
			'day',
			sql<number>`sum(case when kind = 'page' then visits else 0 end)`.as('pages'),
			sql<number>`sum(case when kind = 'referrer' then visits else 0 end)`.as('referrers'),
		])
		.groupBy('day')
		.as('s');
	return db
		.selectFrom('visit_days as d')
		.fullJoin(counted, (join) => join.onRef('s.day', '=', 'd.day'))
		.select(sql<string>`coalesce(d.day, s.day)`.as('day'))
		.where((where) =>
			where.or([
				sql<boolean>`coalesce(d.visits, 0) <> coalesce(s.pages, 0)`,
				sql<boolean>`coalesce(d.visits, 0) <> coalesce(s.referrers, 0)`,
			]),
		)
		.orderBy('day')
		.limit(100)
		.execute();
}

/** Returns the names of wrong visit sums. Days may exceed the stored visits, which are deleted by age. */
export async function findWrongVisitSums(db: Db): Promise<string[]> {
	const row = await db
		.selectNoFrom((eb) => [
			eb.selectFrom('visit_sums').select('addresses').where('id', '=', 'visits').as('kept'),
			eb
				.selectFrom('visit_addresses')
				.select((of) => of.fn.countAll<number>().as('count'))
				.as('addresses'),
			eb
				.selectFrom('visits')
				.select((of) => of.fn.countAll<number>().as('count'))
				.as('visits'),
			eb.selectFrom('visit_days').select(sql<number>`coalesce(sum(visits), 0)`.as('sum')).as('days'),
		])
		.executeTakeFirstOrThrow();
	return [
		...(row.kept === row.addresses ? [] : ['addresses']),
		...(Number(row.days) >= Number(row.visits) ? [] : ['days']),
	];
}

export function findOrdersWithoutProof(db: Db) {
	return db
		.selectFrom('orders')
		.leftJoin('proofs', 'proofs.order_id', 'orders.id')
		.select(['orders.id', 'orders.code'])
		.where('proofs.id', 'is', null)
		.limit(100)
		.execute();
}

/** Finds mails that are still to be sent but whose text was erased. */
export function findEmptyMails(db: Db) {
	return db
		.selectFrom('outbox')
		.select(['id', 'kind'])
		.where('state', '=', 'waiting')
		.where('payload_sealed', 'is', null)
		.limit(100)
		.execute();
}

/** Finds shares and exclusions whose copied list columns differ from their node's, and shares of a deleted node. */
export function findInvalidShares(db: Db) {
	const isWrong = sql<boolean>`(nodes.deleted_at is not null and shares.kind = 'share') or nodes.owner_id <> shares.owner_id
		or nodes.kind_order <> shares.kind_order or nodes.sort_key <> shares.sort_key`;
	return db
		.selectFrom('shares')
		.innerJoin('nodes', 'nodes.id', 'shares.node_id')
		.select(['shares.id', 'nodes.name'])
		.where(isWrong)
		.limit(100)
		.execute();
}

export function listUnrecognizedBlobs(db: Db, afterId: string, limit: number) {
	return db
		.selectFrom('blobs')
		.select(['id', 'storage_key as storageKey', 'size_bytes as sizeBytes'])
		.where('content_type', '=', 'application/octet-stream')
		.where('id', '>', afterId)
		.orderBy('id')
		.limit(limit)
		.execute();
}

export async function updateContentType(tx: Db, blobId: string, type: string): Promise<void> {
	await tx.updateTable('blobs').set({ content_type: type }).where('id', '=', blobId).execute();
	await tx.updateTable('messages').set({ file_type: type }).where('blob_id', '=', blobId).execute();
	await tx.updateTable('canned_reply_files').set({ type }).where('blob_id', '=', blobId).execute();
}

/** Deletes the rows of unfinished uploads, whose parts are not copied. @returns the number deleted */
export async function deleteUnfinishedUploads(db: Db): Promise<number> {
	const { numDeletedRows } = await db.deleteFrom('uploads').where('finished_at', 'is', null).executeTakeFirst();
	return Number(numDeletedRows);
}
